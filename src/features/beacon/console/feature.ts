import type { ConsoleFeature } from "../../../operate/console/frame/console.ts";

export const beaconInConsole: ConsoleFeature = {
  attentionTitles: {
    beacon_fails: {
      en: "The beacon for draws does not answer",
      de: "Die Zufallsquelle für Verlosungen antwortet nicht",
    },
  },
};
