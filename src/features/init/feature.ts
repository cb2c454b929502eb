import type { Feature } from "../../operate/feature.ts";

export const init: Feature = {
  name: "init",
  about: "`usher init`: a first configuration, its secrets, and what is set at the relying party",
  page: "docs/commands.md",
  needs: ["snippets"],
};
