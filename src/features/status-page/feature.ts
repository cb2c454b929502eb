import type { Feature } from "../../operate/feature.ts";
import { statusPageSettings } from "./settings.ts";

export const statusPage: Feature = {
  name: "status-page",
  about: "a public page that says how the rooms are, with incidents that operators write",
  page: "docs/status-page.md",
  settings: statusPageSettings,
  eventTypes: {
    "usher.incident.opened": {},
    "usher.incident.updated": {},
    "usher.incident.resolved": {},
    "usher.incident.deleted": {},
  },
  load: async () => (await import("./gateway.ts")).statusPageInGateway,
};
