import type { Feature } from "../../operate/feature.ts";

export const snippets: Feature = {
  name: "snippets",
  about: "`usher snippet`: what is set at a relying party, with the values of an installation",
  page: "docs/relying-parties/README.md",
};
