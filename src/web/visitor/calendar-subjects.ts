/** What a room has for a calendar: for pages that offer it, and for the entry itself. */
import type { WaitingRoom } from "../../room/index.ts";

/** What a calendar entry may be of; the first that there is, where the request names none. */
export type CalendarSubject = "opening" | "next_sale";

/** Where a page leads that offers one, in the page's language. */
export function calendarUrl(room: string, of: CalendarSubject): string {
  return `/rooms/${room}/calendar.ics?of=${of}`;
}

/** When the line begins, where it has not begun yet. */
export function openingAhead(room: WaitingRoom): number | null {
  const phase = room.state?.basePhase;
  return phase === "idle" || phase === "prequeue" ? room.lineBeginsMs : null;
}

/** What the organiser sells next; null where nothing is to come. */
export function nextSaleAhead(room: WaitingRoom) {
  const { nextSale } = room.settings;
  return nextSale != null && nextSale.startsAtMs > room.nowMs ? nextSale : null;
}
