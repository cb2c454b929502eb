import type { Feature } from "../../operate/feature.ts";
import { unknownTypes, webhooksSettings } from "./settings.ts";

const forAdmins = { isForAdmins: true };

export const webhooks: Feature = {
  name: "webhooks",
  about: "events are sent to receivers, signed and in order",
  page: "docs/webhooks.md#webhooks",
  settings: webhooksSettings,
  checkSettings: unknownTypes,
  eventTypes: {
    "usher.webhook.created": forAdmins,
    "usher.webhook.updated": forAdmins,
    "usher.webhook.deleted": forAdmins,
    "usher.webhook.test": forAdmins,
    "usher.webhook.events_missed": forAdmins,
  },
  attentionCodes: ["webhook_behind", "webhook_gave_up"],
  load: async () => (await import("./gateway.ts")).webhooksInGateway,
};
