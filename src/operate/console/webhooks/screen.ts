import { lazyScreen } from "../navigation/lazy-screen.tsx";
import type { Screen } from "../navigation/screen.ts";

export const webhooksScreen: Screen = {
  scope: "installation",
  name: "webhooks",
  title: { en: "Webhooks", de: "Webhooks" },
  after: "people",
  role: "admin",
  isForAllRooms: true,
  Show: lazyScreen(() => import("./webhooks-screen.tsx").then((m) => m.WebhooksScreen)),
};
