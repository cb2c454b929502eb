import { lazyScreen } from "../navigation/lazy-screen.tsx";
import type { Screen } from "../navigation/screen.ts";
import { texts } from "./texts.ts";

export const webhooksScreen: Screen = {
  scope: "installation",
  name: "webhooks",
  title: texts.title,
  after: "people",
  role: "admin",
  isForAllRooms: true,
  Show: lazyScreen(() => import("./webhooks-screen.tsx").then((m) => m.WebhooksScreen)),
};
