import type { Feature } from "../../operate/feature.ts";

export const siteTag: Feature = {
  name: "site-tag",
  about:
    "the tag for pages of sites, `/usher.js`: a link with the room's state, a countdown, a guard, a fetch that comes back",
  page: "docs/site-tag.md",
  load: async () => (await import("./visitor-routes.ts")).siteTagInGateway,
};
