/** What a page says and does while the doors are still closed. Pure functions. */
import type { PollGuidance, RoomStatus } from "../pages/shared/status.ts";
import { pollAfterMs } from "./line-figures.ts";
import { jitter } from "./requests.ts";
import type { TimeWords } from "./times.ts";

/** So long after its time an opening that has not come may still be on its way; then it has been put off. */
const overdueMs = 60_000;

export interface OpeningTexts {
  /** Where no time is set. */
  unset: string;
  in: string;
  now: string;
}

/** Requests for the same moment are spread over this time after it, as the server says. */
export function spreadOut(spreadMs: number): number {
  return spreadMs * Math.random();
}

/** @param nowMs the server's clock, like `opensAtMs` */
export function describeOpening(texts: OpeningTexts, times: TimeWords, opensAtMs: number | null, nowMs: number) {
  if (opensAtMs === null || nowMs > opensAtMs + overdueMs) return { moment: texts.unset, countdown: "", span: null };
  const moment = times.moment(opensAtMs);
  if (nowMs >= opensAtMs) return { moment, countdown: texts.now, span: null };
  const span = times.span(opensAtMs - nowMs);
  return { moment, countdown: texts.in.replace("{span}", span), span };
}

/** When the line begins, by the schedule: what comes next, or what was awaited and is on its way. */
export function nextOpening(
  { prequeue_at, opens_at }: Pick<RoomStatus, "prequeue_at" | "opens_at">,
  awaitedMs: number | null,
  nowMs: number,
): number | null {
  const times = [prequeue_at, opens_at].map((time) => (time ? Date.parse(time) : Number.NaN));
  return times.find((atMs) => atMs > nowMs || (atMs === awaitedMs && atMs > nowMs - overdueMs)) ?? null;
}

/** When people are let in, where that is later than the line begins. */
export function laterEntry({ opens_at }: Pick<RoomStatus, "opens_at">, opensAtMs: number | null): number | null {
  const entryAtMs = opens_at ? Date.parse(opens_at) : Number.NaN;
  return opensAtMs !== null && entryAtMs > opensAtMs ? entryAtMs : null;
}

/**
 * Milliseconds to the next poll: at the usual pace for that wait, and soon after the doors open. Pages far back in the line
 * keep to the usual pace, or a crowd would ask all at once.
 *
 * @param wait how long it takes once the doors are open
 */
export function pollForOpeningMs(
  poll: PollGuidance,
  ahead: number,
  wait: [number, number] | null,
  opensInMs: number | null,
): number {
  const restSec = Math.max(0, opensInMs ?? 0) / 1_000;
  const usualMs = jitter(pollAfterMs(poll, ahead + restSec, wait && [wait[0] + restSec, wait[1] + restSec]));
  const thenMs = pollAfterMs(poll, ahead, wait);
  if (thenMs >= poll.ceiling_ms) return usualMs;
  return Math.min(usualMs, afterOpeningMs(opensInMs, poll.floor_ms, Math.max(poll.spread_ms, thenMs)));
}

/**
 * The same for a page without a place: at its usual pace, up to three times more slowly while the opening is hours away.
 *
 * @param opensInMs null where no time is set
 */
export function watchAfterMs(usualMs: number, opensInMs: number | null, spreadMs: number): number {
  const slowerMs = Math.min(3 * usualMs, (opensInMs ?? 0) / 100);
  return Math.min(jitter(Math.max(usualMs, slowerMs)), afterOpeningMs(opensInMs, 2_000, spreadMs));
}

/** @param lateMs how often to ask for an opening that is late */
export function afterOpeningMs(opensInMs: number | null, lateMs: number, spreadMs: number): number {
  if (opensInMs === null || opensInMs < -overdueMs) return Infinity;
  return (opensInMs > 0 ? opensInMs : lateMs) + spreadOut(spreadMs);
}
