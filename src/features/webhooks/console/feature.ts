import type { ConsoleFeature } from "../../../operate/console/frame/console.ts";
import { lazyScreen } from "../../../operate/console/frame/navigation.tsx";
import { useAlertLine } from "./alert-line.ts";
import { WebhooksHealth } from "./health-section.tsx";

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
  attentionTitles: {
    webhook_behind: { en: "A webhook is behind", de: "Ein Webhook ist im Rückstand" },
    webhook_gave_up: {
      en: "An event for a webhook was given up",
      de: "Ein Ereignis für einen Webhook wurde aufgegeben",
    },
  },
  useChecklist: useAlertLine,
};
