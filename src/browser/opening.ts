/** What a page says and does while the doors are still closed. Pure functions. */
import { jitter, type PollGuidance, pollAfterMs } from "./line-figures.ts";
import type { TimeWords } from "./time-words.ts";

/** So long after its time an opening that has not come may still be on its way; then it has been put off. */
const overdueMs = 60_000;
/** Whoever waits for the same moment comes within so long after it, not all at once. */
const spreadMs = 5_000;

export interface OpeningTexts {
  /** Where no time is set. */
  unset: string;
  in: string;
  now: string;
}

export function spreadOut(): number {
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

/** Milliseconds to the next poll: at the usual pace of somebody who waits that long, and soon after the doors open. */
export function pollForOpeningMs(poll: PollGuidance, ahead: number, opensInMs: number | null): number {
  const dueMs = opensInMs === null || opensInMs < -overdueMs ? Infinity : opensInMs > 0 ? opensInMs : poll.floor_ms;
  const restSec = Math.max(0, opensInMs ?? 0) / 1_000;
  return Math.min(jitter(pollAfterMs(poll, ahead + restSec, null)), dueMs + spreadOut());
}
