/** Webhooks: what happens is sent to other programs. */
import type { Feature } from "../../operate/feature.ts";
import { webhooksSettings } from "./settings.ts";

export const webhooks: Feature = {
  name: "webhooks",
  about: "what happens is sent to other programs, signed",
  page: "docs/webhooks.md",
  settings: webhooksSettings,
};
