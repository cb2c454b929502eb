import type { Feature } from "../../operate/feature.ts";

/** A gateway runs nothing of it: sites and apps import package/ as `usher/verify`. */
export const verify: Feature = {
  name: "verify",
  about: "`usher/verify`, for sites and apps: checks admission tokens, and lets requests pass by them",
  page: "docs/api.md#verifying",
};
