/** The English texts of the pages. Tests read by its key what a page says, so that an edited text is edited in one file. */
import { fillText } from "../../src/web/pages/shared/wording.ts";
import english from "../../views/locales/en.json" with { type: "json" };

export { english };

/** What a tab says. @param lead one of `waiting.live.titles` @param room its title; default: the gallery's */
export const titleOf = (lead: string, room = "Autumn tour tickets"): string =>
  fillText(english.waiting.live.title, { lead, room });

/** Until when a turn is held. */
export const heldUntil = (time: string, span: string): string => fillText(english.later.deadline.until, { time, span });
