import type { Feature } from "../../operate/feature.ts";

export const plan: Feature = {
  name: "plan",
  about: "`usher plan`: what a sale needs, and costs, before anything is there",
  page: "docs/performance.md#planning",
};
