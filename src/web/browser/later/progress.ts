/**
 * What the visitor has behind them: that half of the way is done, or nearly all of it, how far the line has moved in each of the last
 * minutes, and at last that it is their turn. Loaded with the first answer, before the doors soon after the page; what was seen is kept for this tab, so that a page that is loaded anew goes on with it.
 */

import type { StockJson } from "../../../room/public-status/status.ts";
import type { LaterTexts } from "../../pages/shared/live.ts";
import { createWording, fillText, type StockTexts, stockText } from "../../pages/shared/wording.ts";
import { rememberOf } from "../of-rooms.ts";
import { addStyles } from "../own-sheet.ts";
import { part, say, writtenIn } from "../page-parts.ts";
import { addPoint, type Point, pastMinutes, readPoints } from "../past-minutes.ts";

export type Progress = ReturnType<typeof createProgress>;

const [barPx, gapPx, heightPx] = [4, 2, 16];
const namespace = "http://www.w3.org/2000/svg";

const style = `
main:not([data-state="waiting"]) #moved { display: none }
#moved svg { vertical-align: -0.125em; margin-inline-end: 0.375rem; fill: var(--edge) }
#moved rect:last-child { fill: var(--accent) }
[dir="rtl"] #moved svg { transform: scaleX(-1) }
[data-almost] { font-size: 1.125rem; font-weight: 700 }
main[data-state="turn"] .card {
  display: flex;
  flex-direction: column;
  min-height: min(40rem, 100vh - 12rem);
  min-height: min(40rem, 100svh - 12rem);
}
main[data-state="turn"] #turn { margin-top: auto }
main[data-state="turn"] #deadline { margin-top: 1rem; color: inherit; font-size: 1.25rem; text-wrap: balance }
main[data-state="turn"] #hint { margin-top: 0.5rem }
main[data-state="turn"] .actions { flex: none; margin-top: auto; padding-top: 1.5rem }
main[data-state="turn"] #enter { display: grid; place-items: center; min-height: 4.5rem; font-size: 1.375rem }
/* What a visitor is just using stays. */
main[data-state="turn"] .offer:not(:has(:focus-visible)) { display: none }
#turn:not(:empty)::before {
  content: "✓";
  content: "✓" / "";
  display: grid;
  place-items: center;
  width: 4rem;
  height: 4rem;
  margin-bottom: 1.25rem;
  border-radius: 50%;
  background: var(--accent);
  color: var(--on-accent);
  font-size: 2rem;
}
@media (prefers-reduced-motion: no-preference) { #turn::before { animation: burst 0.9s ease-out } }
@keyframes burst {
  from { box-shadow: 0 0 0 0 var(--accent); transform: scale(0.6) }
  to { box-shadow: 0 0 0 3rem transparent }
}
@media (forced-colors: active) { #moved svg { fill: CanvasText; forced-color-adjust: none } }`;

/** Visitors whose turn is so near, in seconds, are asked to keep the page open. */
const almostSec = 60;

/** At the turn: a tick, to be found among many tabs. */
const turnIcon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Ccircle cx='16' cy='16' r='16' fill='%230b5d57'/%3E%3Cpath d='m8 17 6 6L25 10' fill='none' stroke='%23fff' stroke-width='4'/%3E%3C/svg%3E";

/** What is kept of each line in this tab. */
const key = "usher.moved";

/** @param lineOf room and edition */
export function createProgress(texts: LaterTexts["progress"], language: string, lineOf: string) {
  addStyles(style);
  const { number } = createWording(language);
  // Its line is there from the beginning, or long before the doors open: nothing moves when something is told in it.
  const line = document.getElementById("moved") ?? document.createElement("p");
  line.id = "moved";
  part("facts").append(line);
  const chart = document.createElementNS(namespace, "svg");
  chart.setAttribute("aria-hidden", "true");
  chart.setAttribute("height", String(heightPx));
  const words = document.createElement("span");
  words.id = "moved-words";
  let points: readonly Point[] = [];
  /** The people ahead of a position as of the last answer; and what was shown before they became more. */
  let last = { position: 0, ahead: 0 };
  let risenAbove = Infinity;
  try {
    rememberOf(sessionStorage, key, lineOf, (stored) => {
      points = readPoints(stored);
      return points;
    });
  } catch {}

  const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]");
  const usualIcon = icon?.href ?? "";
  const usualHint = writtenIn("safe");
  let hasSaidAlmost = false;
  let heard = "";

  /** Before the doors it changes nothing yet for anybody. */
  const isEarly = () => document.querySelector("main")?.dataset.state === "entered";

  function show(minutes: readonly number[]): void {
    const last = minutes[minutes.length - 1];
    line.setAttribute("aria-hidden", String(last === undefined));
    if (last === undefined) {
      if (words.isConnected || !line.firstChild) line.replaceChildren("\u00a0");
      return;
    }
    if (!words.isConnected) line.replaceChildren(chart, words);
    const most = Math.max(1, ...minutes);
    // One bar alone compares with nothing.
    chart.style.display = minutes.length > 1 ? "" : "none";
    chart.setAttribute("width", String(minutes.length * (barPx + gapPx)));
    chart.replaceChildren(
      ...minutes.map((moved, index) => {
        const bar = document.createElementNS(namespace, "rect");
        const height = Math.max(1, (moved / most) * heightPx);
        const x = index * (barPx + gapPx);
        for (const [name, value] of Object.entries({ x, y: heightPx - height, width: barPx, height })) {
          bar.setAttribute(name, String(value));
        }
        return bar;
      }),
    );
    say(words.id, fillText(texts.moved, { n: number(last) }));
  }

  return {
    /** To be called with each answer, of a time and with a serving position. */
    note(atMs: number, serving: number): void {
      points = addPoint(points, [atMs, serving]);
      try {
        rememberOf(sessionStorage, key, lineOf, () => points);
      } catch {
        // Storage is closed to us: it holds for this page.
      }
      show(pastMinutes(points));
    },
    /** Why more people are ahead than before, to be asked with each answer: as long as they are more than were shown then; "" otherwise. */
    risen(position: number, ahead: number, displayed: number): string {
      if (position !== last.position) risenAbove = Infinity;
      else if (ahead > last.ahead) risenAbove = displayed;
      last = { position, ahead };
      return ahead > risenAbove ? texts.risen : "";
    },
    /**
     * What is left, to be called with each answer. That it may be gone before the visitor's turn is said aloud once, though the number goes on changing.
     *
     * @param ahead -1 where nobody knows
     */
    stock(texts: StockTexts, stock: StockJson | null, ahead: number): void {
      // Of another shape it is no stock.
      if (stock && ![stock.enough_for, stock.remaining ?? 0].every(Number.isFinite)) return;
      const isShort = stock !== null && ahead >= stock.enough_for && !isEarly();
      if (isShort && !writtenIn("stock").includes(texts.short)) say("milestone", texts.short);
      say("stock", stockText(texts, number, stock, ahead));
    },
    /** How many have an entry number. */
    here: (people: number) => fillText(texts.here, { n: number(people) }),
    /** What is told of a part of the way from 0 to 1; undefined where there is nothing to tell. It is not announced: screen readers hear the number of people. */
    milestone: (way: number): string | undefined => (way >= 0.9 ? texts.nearly : way >= 0.5 ? texts.half : undefined),
    /**
     * In the last minute, that the page has to stay open, in place of that it may be closed. It is announced once.
     *
     * @param longestSec until the turn, at the slow end of what is expected; Infinity where nothing is known
     */
    prepare(longestSec: number): void {
      const isAlmost = longestSec <= almostSec;
      const said = writtenIn("milestone");
      // What was said a moment ago has not been heard yet.
      const before = said === "" || said === heard ? "" : said.replace(/[.。।]?$/, ". ");
      if (isAlmost && !hasSaidAlmost) say("milestone", before + texts.almost);
      hasSaidAlmost ||= isAlmost;
      heard = writtenIn("milestone");
      say("safe", isAlmost ? texts.almost : usualHint);
      part("safe").toggleAttribute("data-almost", isAlmost);
    },
    /** To be called when it is the visitor's turn, or not any more: the tab's icon says so, too. */
    follow(isTurn: boolean): void {
      const address = isTurn ? turnIcon : usualIcon;
      if (icon && icon.href !== address) icon.href = address;
    },
  };
}
