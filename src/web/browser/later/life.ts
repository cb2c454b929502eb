/**
 * Animates the waiting page between two answers of the server: the number of people ahead falls, and a figure moves along the progress bar, past
 * marks at its middle and near its end, where the expected time of arrival stands. Loaded after the page is drawn; without it the page changes
 * only with each answer. The figure stands still while the line does and while no answers come, so it shows whether the page is alive. With
 * reduced motion it does not hop.
 */

import { createStatusReader, type StatusReader } from "../../../room/public-status/pace.ts";
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
import { createTimeWords, regionalLocale } from "../times.ts";
import { createWhileWaiting } from "../while-waiting.ts";

// Loaded with it: nothing of it is needed while the page comes.
export { meetOthers } from "../meeting.ts";

/** @param url of the room's status */
export const createReader = (url: string): StatusReader =>
  createStatusReader(url, (ms) => new Promise((resolve) => setTimeout(resolve, ms)), Math.random);

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
 * `report` is false unless the line is moving; `atMs` is the time of the last answer, by `performance.now()`; `status` is the last status.
 */
export function createLife(
  offered?: WhileWaitingRevisions,
): (barStart: number, ahead: number, report: LineReport | false, atMs: number, status?: RoomStatus) => number {
  const readWhileWaiting = createWhileWaiting(offered);
  const countDown = createCountDown();
  const { lang } = document.documentElement;
  const locale = regionalLocale(lang, navigator.languages);
  const arrivalWords = createArrivalWords(locale);
  const next = part("next-at") as HTMLTimeElement;
  if (next.dateTime) say("next-at", createTimeWords(locale, "").moment(Date.parse(next.dateTime), "numeric"));
  const walk = document.createElement("div");
  walk.className = "walk in-line";
  walk.ariaHidden = "true";
  const arrival = document.createElement("span");
  arrival.id = "arrival";
  walk.append(document.createElement("span"), arrival, document.createElement("i"));
  // Without them there is the bar alone.
  if (addStyles(style)) part("progress").after(walk);

  /** The share of waiting pages that report, once a minute, that they are open. */
  let presenceShare = 0;
  // A sample: from it the server estimates how many visitors are present, without a request from every page. It stores no visitor.
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
    const nextMs = report && pace ? spreadMost * pollAfterMs(report.poll, ahead, wait) : 0;
    // Where nobody asks for long, the number waits for the next answer.
    const forMs = report ? Math.min(nextMs, spreadMost * report.poll.ceiling_ms) : 0;
    const displayed = countDown({ ahead, pace, atMs, forMs }, nowMs);
    if (report && displayed > 0) rememberAhead(displayed);
    walk.style.setProperty("--way", String(Math.max(0, 1 - displayed / barStart)));
    const walks = pace !== null && nowMs - atMs < nextMs + lateMs;
    walk.toggleAttribute("data-walks", walks);
    say("arrival", walks ? arrivalWords(Date.now() + atMs - nowMs, wait) : "");
    if (status && status !== heard) showMessage(status, lang);
    heard = status;
    return displayed;
  };
}
