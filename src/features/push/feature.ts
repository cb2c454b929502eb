import type { Feature } from "../../operate/feature.ts";
import { pushSettings } from "./settings.ts";

export const push: Feature = {
  name: "push",
  about: "notifications to visitors whose phone sleeps (Web Push)",
  page: "docs/push.md",
  settings: pushSettings,
  load: async () => (await import("./gateway.ts")).pushInGateway,
};
