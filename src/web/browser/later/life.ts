/**
 * What makes the waiting page live between two answers of the server: the people ahead become fewer, and somebody walks along the bar, past
 * marks at its middle and near its end, where the
 * time of day stands at which that will be. Loaded once the page is drawn; without it the page changes with each answer. The walker is a sign of
 * life: it stands still where the line does, and while no answers come. With less motion it does not hop.
 */

import {
  estimateWait,
  pollAfterMs,
  presenceEveryMs,
  sampleRank,
  spreadMost,
} from "../../../room/public-status/pacing.ts";
import type { PaceJson, PollGuidance, RoomStatus } from "../../../room/public-status/status.ts";
import type { WhileWaitingRevisions } from "../../pages/shared/live.ts";
import { createArrivalWords } from "../arrival.ts";
import { createCountDown } from "../count-down.ts";
import { addStyles } from "../own-sheet.ts";
import { part, rememberAhead, say, showMessage } from "../page-parts.ts";
import { regionalLocale } from "../times.ts";
import { createWhileWaiting } from "../while-waiting.ts";

// Loaded with it: nothing of it is needed while the page comes.
export { meetOthers } from "../meeting.ts";

export type Life = ReturnType<typeof createLife>;

interface LineReport {
  readonly pace: PaceJson | null;
  readonly poll: PollGuidance;
}

/** An answer may take so long before it is missed. */
const lateMs = 15_000;

/** Sits on the bar, which is 0.625rem high and has 0.5rem below it; adds nothing to the height of the page. */
const style = `
.walk { position: relative }
main:not([data-state="waiting"]) .walk { display: none }
.walk > * { position: absolute; bottom: 0.5rem }
.walk > :first-child {
  inset-inline: 0;
  height: 0.625rem;
  background: radial-gradient(circle at 50%, var(--card) 0.125rem, transparent 0.15rem), radial-gradient(circle at 90%, var(--card) 0.125rem, transparent 0.15rem);
}
[dir="rtl"] .walk > :first-child { transform: scaleX(-1) }
#arrival {
  inset-inline-end: 0;
  bottom: 1.65rem;
  color: var(--soft);
  font-size: 0.75rem;
  line-height: 1;
}
.walk > i {
  inset-inline-start: calc(var(--way) * (100% - 1.125rem));
  bottom: 0.25rem;
  width: 1.125rem;
  height: 1.125rem;
  border: 0.1875rem solid var(--card);
  border-radius: 50%;
  background: var(--accent);
}
@media (prefers-reduced-motion: no-preference) {
  .walk > i { transition: inset-inline-start 0.6s ease }
  .walk[data-walks] > :last-child { animation: walk 0.8s ease-in-out infinite alternate }
}
@media (forced-colors: active) {
  .walk > i { border-color: Canvas; background: CanvasText; forced-color-adjust: none }
}
@keyframes walk { to { transform: translateY(-0.25rem) } }`;

/**
 * @param offered what visitors may read while they wait, as the page came
 * @returns the number of people ahead to show now; to be called with each answer, and once a second while somebody looks.
 * `told` is false while the line is not known to move; `atMs` is when it was told, by `performance.now()`; `status` is the last one
 */
export function createLife(
  offered?: WhileWaitingRevisions,
): (barStart: number, ahead: number, report: LineReport | false, atMs: number, status?: RoomStatus) => number {
  const readWhileWaiting = createWhileWaiting(offered);
  const countDown = createCountDown();
  const { lang } = document.documentElement;
  const arrivalWords = createArrivalWords(regionalLocale(lang, navigator.languages));
  const walk = document.createElement("div");
  walk.className = "walk in-line";
  walk.ariaHidden = "true";
  const arrival = document.createElement("span");
  arrival.id = "arrival";
  walk.append(document.createElement("span"), arrival, document.createElement("i"));
  // Without them there is the bar alone.
  if (addStyles(style)) part("progress").after(walk);

  /** Of all pages in the line, those that are asked to say that they are open. */
  let presenceShare = 0;
  // For how many look at their page: only a known share of the pages is asked, in each minute once, and the server keeps none of them.
  setInterval(() => {
    const { room, position } = document.querySelector("main")?.dataset ?? {};
    if (sampleRank(Number(position)) < presenceShare) fetch(`/rooms/${room}/tickets/me`).catch(() => {});
  }, presenceEveryMs);

  let heard: RoomStatus | undefined;

  return (barStart, ahead, report, atMs, status) => {
    presenceShare = status?.presence_share ?? presenceShare;
    readWhileWaiting(status?.while_waiting);
    const nowMs = performance.now();
    const pace = report ? report.pace : null;
    const wait = pace && estimateWait(pace, ahead);
    const forMs = report && pace ? spreadMost * pollAfterMs(report.poll, ahead, wait) : 0;
    const displayed = countDown({ ahead, pace, atMs, forMs }, nowMs);
    if (report && displayed > 0) rememberAhead(displayed);
    walk.style.setProperty("--way", String(Math.max(0, 1 - displayed / barStart)));
    const walks = pace !== null && nowMs - atMs < forMs + lateMs;
    walk.toggleAttribute("data-walks", walks);
    say("arrival", walks ? arrivalWords(Date.now() + atMs - nowMs, wait) : "");
    if (status && status !== heard) showMessage(status, lang);
    heard = status;
    return displayed;
  };
}
