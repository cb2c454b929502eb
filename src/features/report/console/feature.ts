import type { ConsoleFeature } from "../../../operate/console/frame/console.ts";
import { lazyScreen } from "../../../operate/console/frame/navigation.tsx";

export const reportInConsole: ConsoleFeature = {
  screens: [
    {
      scope: "room",
      name: "after",
      title: { en: "After the sale", de: "Nach dem Verkauf" },
      after: "before",
      role: "viewer",
      isForAllRooms: false,
      Show: lazyScreen(() => import("./after-screen.tsx").then(({ AfterScreen }) => AfterScreen)),
    },
  ],
};
