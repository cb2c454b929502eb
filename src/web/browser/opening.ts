/** What a page says and does while the doors are still closed. Pure functions. */
import { afterOpeningMs, overdueMs } from "../../room/public-status/pacing.ts";
import type { RoomStatus } from "../../room/public-status/status.ts";
import { jitter } from "./requests.ts";
import type { TimeWords } from "./times.ts";

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

/** The same words, with the seconds in the last hour: what counts down is seen to. */
export function tickingWords(times: TimeWords): TimeWords {
  return {
    ...times,
    span(ms) {
      const seconds = Math.floor(ms / 1_000);
      const isShort = seconds >= 120 && seconds < 3_600;
      return isShort ? times.pair(Math.floor(seconds / 60), "minute", seconds % 60, "second") : times.span(ms);
    },
  };
}

/** When the line begins, by the schedule: what comes next, or what was awaited and is on its way. */
export function nextOpening(
  { prequeue_at, opens_at }: Pick<RoomStatus, "prequeue_at" | "opens_at">,
  awaitedMs: number | null,
  nowMs: number,
): number | null {
  const times = [prequeue_at, opens_at].map((time) => Date.parse(time ?? ""));
  return times.find((atMs) => atMs > nowMs || (atMs === awaitedMs && atMs > nowMs - overdueMs)) ?? null;
}

/** When people are let in, where that is later than the line begins. */
export function laterEntry({ opens_at }: Pick<RoomStatus, "opens_at">, opensAtMs: number | null): number | null {
  const entryAtMs = Date.parse(opens_at ?? "");
  return opensAtMs !== null && entryAtMs > opensAtMs ? entryAtMs : null;
}

/**
 * Milliseconds to the next poll of a page without a place: at its usual pace, up to three times more slowly while the opening is hours away.
 *
 * @param opensInMs null where no time is set
 */
export function watchAfterMs(usualMs: number, opensInMs: number | null, spreadMs: number): number {
  const slowerMs = Math.min(3 * usualMs, (opensInMs ?? 0) / 100);
  return Math.min(jitter(Math.max(usualMs, slowerMs)), afterOpeningMs(opensInMs, 2_000, spreadMs, Math.random));
}
