import type { Feature } from "../../operate/feature.ts";
import { queueItSettings } from "./settings.ts";

export const queueItHome: Feature = {
  name: "queue-it-home",
  about: "sites keep the connector of Queue-it, and Usher's rooms stand behind it; `usher queue-it`",
  page: "docs/homes/queue-it.md",
  settings: queueItSettings,
  attentionCodes: ["queue_it_refused"],
  load: async () => (await import("./gateway.ts")).queueItInGateway,
};
