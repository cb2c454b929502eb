import type { Feature } from "../../operate/feature.ts";
import { statusPageSettings } from "./settings.ts";

export const statusPage: Feature = {
  name: "status-page",
  about: "a public page that says how the rooms are, with incidents that operators write",
  page: "docs/status-page.md",
  settings: statusPageSettings,
};
