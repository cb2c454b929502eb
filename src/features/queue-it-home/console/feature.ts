import type { ConsoleFeature } from "../../../operate/console/frame/console.ts";

export const queueItInConsole: ConsoleFeature = {
  attentionTitles: {
    queue_it_refused: {
      en: "A site refuses the tokens of a room",
      de: "Eine Website weist die Token eines Raums zurück",
    },
  },
};
