export const init = {
  name: "init",
  about: "`usher init`: a first configuration, its secrets, and what is set at the relying party",
  page: "docs/commands.md",
  needs: ["snippets"],
};
