/**
 * How a page with an entry number gets its place: it learns from the public status that the draw is over, and then asks
 * once for its position. Spread polls keep pages from asking all at once.
 */

import { type DrawWatched, isDrawOver } from "../../room/public-status/pacing.ts";
import type { RoomStatus } from "../../room/public-status/status.ts";
import type { LiveTexts } from "../pages/shared/live.ts";
import { fillText } from "../pages/shared/wording.ts";
import { say } from "./page-parts.ts";
import { readJson } from "./requests.ts";

/** GET /rooms/{room}/tickets/me, as far as the page reads it. */
export interface DrawnPlace {
  state: string;
  position: number | null;
  /** Null where there was no draw after all: the number is the place. */
  entry: number | null;
  /** How many took part in the draw. */
  entries: number | null;
}

/** @param take called with the place when it is drawn */
export function watchDraw(placeUrl: string, take: (place: DrawnPlace) => void) {
  let isRequesting = false;

  async function ask(): Promise<void> {
    isRequesting = true;
    try {
      const place = await readJson<DrawnPlace>(placeUrl);
      // Of another shape it is nobody's place.
      if (place.state && Number.isFinite(place.position ?? 0)) take(place);
    } catch {
      // The status poll reports the connection. Asked anew after the next status: another process may know it already.
    }
    isRequesting = false;
  }

  return {
    /**
     * To be called with every status while the place is to be drawn. After a loss the room may not know the entry, and
     * would leave it out: a request for the own place shows the ticket. (Once the entries are closed and the gap is
     * behind them, some ask in vain, at the pace of their polls; the store is not asked then.)
     */
    sync(status: DrawWatched & Pick<RoomStatus, "gaps">, entry: number): void {
      const isLeftOut = status.gaps.some(([from, to]) => from <= entry && to >= entry);
      if (!isRequesting && (isLeftOut || isDrawOver(status))) void ask();
    },
  };
}

/** The place instead of the entry number, from which it was drawn; null where it was not. */
export function showDrawn(
  main: HTMLElement,
  position: number,
  entry: number | null,
  texts: LiveTexts,
  toText: (value: number) => string,
): void {
  main.dataset.draw = "drawn";
  main.dataset.position = String(position);
  const figure = main.querySelector<HTMLElement>(".position");
  if (figure) {
    figure.textContent = toText(position);
    figure.dataset.digits = String(figure.textContent.length);
  }
  say("label", texts.labels.place);
  say("drawn", entry === null ? "" : fillText(texts.drawn ?? "", { n: toText(entry) }));
}
