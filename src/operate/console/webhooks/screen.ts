import type { Screen } from "../frame/console.ts";
import { lazyScreen } from "../frame/navigation.tsx";

export const webhooksScreen: Screen = {
  scope: "installation",
  name: "webhooks",
  title: { en: "Webhooks", de: "Webhooks" },
  after: "people",
  role: "admin",
  isForAllRooms: true,
  Show: lazyScreen(() => import("./webhooks-screen.tsx").then((m) => m.WebhooksScreen)),
};
