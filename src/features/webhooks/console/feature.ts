import type { ConsoleFeature } from "../../../operate/console/frame/console.ts";
import { lazyScreen } from "../../../operate/console/frame/navigation.tsx";
import { useAlertLine } from "./alert-line.ts";
import { WebhooksHealth } from "./health-section.tsx";
import { texts } from "./texts.ts";

export const webhooksInConsole: ConsoleFeature = {
  screens: [
    {
      scope: "installation",
      name: "webhooks",
      title: { en: "Webhooks", de: "Webhooks" },
      after: "people",
      role: "admin",
      isForAllRooms: true,
      Show: lazyScreen(() => import("./webhooks-screen.tsx").then((m) => m.WebhooksScreen)),
    },
  ],
  healthSections: [WebhooksHealth],
  attentionTitles: { webhook_behind: texts.health.isBehind, webhook_gave_up: texts.health.gaveUp },
  useChecklist: useAlertLine,
};
