import type { RoomMessage } from "../../room/index.ts";
import type { LocaleTexts } from "./locales/texts.ts";

/** The messages that are there in every language (`messages` of its texts), in the order in which they are offered, and how grave each is. */
export const readyMessages: Readonly<Record<keyof LocaleTexts["messages"], RoomMessage["severity"]>> = {
  short_delay: "information",
  technical_problem: "warning",
  going_on: "information",
  last_tickets: "warning",
  sold_out: "sold_out",
};
