/**
 * The draw of the visitor's place, as something that happens: how many take part and when it is held; that it is being held; and what came
 * of it, once, when the visitor looks. Loaded soon after a page with an entry number, long before the draw; without it the page
 * says the same more plainly. What came of it stands in full until the visitor looks away; a page that is loaded anew says it in one line.
 */

import type { DrawJson } from "../../../room/public-status/status.ts";
import type { LaterTexts } from "../../pages/shared/live.ts";
import { createWording, fillText } from "../../pages/shared/wording.ts";
import { describeDraw, isWitness, rollTo, splitAtNumber } from "../draw-show.ts";
import type { DrawnPlace } from "../draw-watch.ts";
import { rememberOf } from "../of-rooms.ts";
import { tickingWords } from "../opening.ts";
import { addStyles } from "../own-sheet.ts";
import { isSeen, part, say, writtenIn } from "../page-parts.ts";
import { readJson } from "../requests.ts";
import type { TimeWords } from "../times.ts";

export type DrawShow = ReturnType<typeof createDrawShow>;

/** Pages ask within so long after entries were voided: by then every process knows of it. */
const [askFromMs, askWithinMs] = [2_000, 8_000];

const revealed = 'main[data-reveal][data-state="waiting"]';

const style = `
#drawn { white-space: pre-line }
.lots { display: none; direction: ltr; width: fit-content; gap: 0.75rem; margin-top: 1rem }
main[data-state="drawing"] .lots { display: flex }
.lots i { width: 0.75rem; height: 0.75rem; border-radius: 50%; background: var(--accent) }
.drew { display: none }
${revealed} .drew { display: block }
${revealed} .place { display: flex; flex-direction: column }
${revealed} .number { display: block; order: -3; margin: 0 }
${revealed} .label { display: none }
${revealed} #drawn { order: -2 }
${revealed} .next { order: -1; margin: 0.5rem 0 1rem }
${revealed} .position {
  margin-block: 0.125rem;
  color: var(--accent);
  font-size: clamp(3.5rem, 18vw, 6.25rem);
  line-height: 1;
  letter-spacing: -0.04em;
}
${revealed} .position:is([data-digits="9"], [data-digits="10"]) { font-size: clamp(2.25rem, 11.5vw, 4rem) }
p.drew { font-size: 1.25rem; font-weight: 600 }
.next p { font-size: 1rem }
.next a { display: inline-flex; align-items: center; min-height: 2.75rem; color: inherit; text-underline-offset: 0.2em }
/* One number is the largest. The others would tell it first, and come when it has. */
${revealed} .lead { color: inherit; font-size: 1.25rem }
${revealed}[data-reveal="rolling"] .in-line { display: none }
${revealed} .position[data-roll] { position: relative; color: transparent }
.position[data-roll]::after { content: attr(data-roll); content: attr(data-roll) / ""; position: absolute; inset-inline-start: 0; color: var(--accent) }
@media (prefers-reduced-motion: no-preference) {
  .lots i { animation: lot 1.8s ease-in-out infinite alternate }
  .lots i:nth-child(2) { --to: -1.5rem; --by: -0.4rem }
  .lots i:nth-child(3) { --to: 3rem; --by: 0.2rem }
  .lots i:nth-child(4) { --to: -3rem; --by: 0.4rem }
  .lots i:nth-child(5) { --to: -3rem; --by: -0.2rem }
  ${revealed} .in-line { animation: come 0.4s ease }
  .position[data-rolled] { animation: land 0.5s ease-out }
}
@keyframes lot {
  0%, 15% { transform: none }
  50% { transform: translate(calc(var(--to, 4.5rem) / 2), var(--by, 0)) }
  85%, 100% { transform: translate(var(--to, 4.5rem), 0) }
}
@keyframes come { from { opacity: 0 } }
@keyframes land { from { transform: scale(1.12) } }
@media (forced-colors: active) { .lots i { background: CanvasText; forced-color-adjust: none } }`;

/** Whether the visitor, and the colours that they chose, leave room for something that moves. */
const mayMove = () => matchMedia("(prefers-reduced-motion: no-preference) and (forced-colors: none)").matches;

/** @param nowMs the server's clock, as below */
export function createDrawShow(texts: LaterTexts["draw"], times: TimeWords, nowMs: number) {
  addStyles(style);
  const { number } = createWording(document.documentElement.lang);
  const main = document.querySelector("main") as HTMLElement;
  const figure = main.querySelector(".position") as HTMLElement;
  const format = { number, span: tickingWords(times).span };
  const lots = element("div", "lots");
  lots.ariaHidden = "true";
  lots.append(...Array.from({ length: 5 }, () => document.createElement("i")));
  const line = part("drawn");
  line.after(lots);
  // Until the first answer, what stands there for pages without scripts.
  line.replaceChildren(line.textContent ?? "");
  /** The draw that takes the visitor's number; the status may tell of the next one already. */
  let id: number | undefined;
  let heard: DrawJson | null = null;
  /** When it was said last that it is to come yet. */
  let heardMs = nowMs;
  /** The voids after which the page has asked for its place. */
  let checkedVoids = 0;
  let asks = false;

  /** Whether the own entry is among those that were voided: then the gateway says why, and what to do. */
  async function ask(voids: number): Promise<void> {
    try {
      const { state } = await readJson<DrawnPlace>(`/rooms/${main.dataset.room}/tickets/me`);
      // Of another shape it is no answer of the room.
      if (typeof state === "string") checkedVoids = voids;
      if (state === "expired") location.reload();
    } catch {
      // With the next answer again.
    }
    asks = false;
  }

  return {
    /**
     * To be called with each answer, and once a second while somebody looks, until the place is drawn.
     *
     * @param nowMs the server's clock
     */
    tell(draw: DrawJson | null, nowMs: number): void {
      // Of another shape it is no draw.
      if (draw && ![draw.id, draw.voids, draw.entries ?? 0].every(Number.isFinite)) return;
      id ??= draw?.id;
      const watched = draw?.id === id ? draw : null;
      if (watched && watched !== heard && watched.stage !== "drawn") heardMs = nowMs;
      heard = watched;
      if (watched && watched.voids !== checkedVoids && !asks) {
        asks = true;
        setTimeout(() => void ask(watched.voids), askFromMs + askWithinMs * Math.random());
      }
      say("drawn", describeDraw(texts, format, watched, nowMs));
    },

    /** To be called once, when the page shows the place. */
    reveal({ position, entry, entries }: DrawnPlace, nowMs: number): void {
      lots.remove();
      if (entry === null && heard?.stage === "cancelled") say("drawn", texts.cancelled);
      // Among how many is said only where it is known.
      if (entry === null || position === null || !entries) return;
      const figures = { n: number(position), of: number(entries) };
      const drawnFor = writtenIn("drawn");
      const sayQuietly = () => say("drawn", `${fillText(texts.result, figures)} · ${drawnFor}`);
      const hasWatched = isSeen() && isWitness(heardMs, nowMs);
      const seen = [Number(main.dataset.edition), entry, position];

      const look = () => {
        if (!isSeen()) return;
        document.removeEventListener("visibilitychange", look);
        // Another tab has shown it; or something else counts by now.
        if (main.dataset.state !== "waiting" || !isFirst(main.dataset.room ?? "", seen)) return sayQuietly();
        const [before, after] = splitAtNumber(fillText(texts.result, { of: figures.of })).map((words) =>
          element("p", "drew", words),
        ) as [HTMLElement, HTMLElement];
        const next = whatIsNext(texts);
        figure.before(before);
        figure.after(after);
        line.after(next);
        const rolls = hasWatched && mayMove() && entries > 1;
        main.dataset.reveal = rolls ? "rolling" : "";
        say("milestone", fillText(texts.said, { ...figures, people: writtenIn("ahead") }));
        const stop = rolls ? roll(main, figure, entries, number) : () => {};
        say("drawn", drawnFor);
        // From then on it is the page of the line: a visitor who looks again finds that.
        const settle = () => {
          stop();
          delete main.dataset.reveal;
          for (const node of [before, after, next]) node.remove();
          sayQuietly();
        };
        document.addEventListener("visibilitychange", settle, { once: true });
      };
      document.addEventListener("visibilitychange", look);
      sayQuietly();
      look();
    },
  };
}

/** One sentence, and the page on which the draw is checked. */
function whatIsNext(texts: LaterTexts["draw"]): HTMLElement {
  const next = element("div", "drew next");
  const link = (part("draw") as HTMLAnchorElement).cloneNode() as HTMLAnchorElement;
  link.removeAttribute("id");
  link.textContent = texts.check;
  next.append(element("p", "", texts.next), link);
  return next;
}

/** Shows other numbers before the one that the element has all along, for the eyes alone. @returns ends it */
function roll(main: HTMLElement, figure: HTMLElement, entries: number, number: (value: number) => string): () => void {
  const steps = rollTo(entries, Math.random);
  let timer = 0;
  const stop = () => {
    clearTimeout(timer);
    delete figure.dataset.roll;
  };
  const step = () => {
    const [next, forMs] = steps.shift() ?? [];
    if (next === undefined) {
      stop();
      main.dataset.reveal = "";
      figure.dataset.rolled = "";
      return;
    }
    figure.dataset.roll = number(next);
    timer = setTimeout(step, forMs);
  };
  step();
  return stop;
}

/** Whether this is new to this browser; from then on it is not. */
function isFirst(room: string, what: readonly number[]): boolean {
  const text = `${what}`;
  let isNew = true;
  try {
    rememberOf(localStorage, "usher.drawn", room, (stored) => {
      isNew = stored !== text;
      return text;
    });
  } catch {
    // Storage is closed to us: each tab shows it.
  }
  return isNew;
}

function element(name: string, className: string, text = ""): HTMLElement {
  const created = document.createElement(name);
  created.className = className;
  created.textContent = text;
  return created;
}
