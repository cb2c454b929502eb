/**
 * The number of people ahead to display between two answers of the server. It is extrapolated from the last answer's count and pace. A pure
 * function of that answer and the time, but for the number displayed before.
 *
 * - It falls at the slow end of the estimate (`places_per_minute` as if nobody were absent, less `spread`), so the next answer usually lowers it further.
 * - It falls only until the next poll is due, for 52 s at most, and never to 0 unless the server said 0. So it is never lower than the
 *   true number by more than that pace yields in that time: 52 s at most, 15 s for waits under ten minutes.
 * - It stands still while the line does, while no pace is available, and while no answers come.
 * - It never rises by itself. If an answer is higher than the displayed number, the display waits for the line to catch up. It rises only if an
 *   answer is higher than the answer before: then the line really grew ahead of the visitor, and the page says why.
 */
import type { PaceJson } from "../../room/public-status/status.ts";

/** From the last answer, or from the page as it was served. */
export interface AheadReport {
  readonly ahead: number;
  /** Null while the line stands still, if its pace is unknown, or if `ahead` is only an upper bound. */
  readonly pace: PaceJson | null;
  /** Time of the answer, by the same clock as the countdown's `nowMs`. */
  readonly atMs: number;
  /** Milliseconds from then until the next poll is due. */
  readonly forMs: number;
}

/** Places that the line moves on in so many seconds: the inverse of the wait estimate (src/room/public-status/pacing.ts). */
export function placesAfter({ steps, places_per_minute: perMinute, extra_seconds }: PaceJson, seconds: number): number {
  const movesForSec = seconds - extra_seconds;
  if (perMinute === null || movesForSec <= 0) return 0;
  let [sec, passed] = [0, 0];
  for (const [stepSec, stepPlaces] of steps) {
    if (movesForSec < stepSec) return passed + ((movesForSec - sec) / (stepSec - sec)) * (stepPlaces - passed);
    [sec, passed] = [stepSec, stepPlaces];
  }
  return passed + ((movesForSec - sec) * perMinute) / 60;
}

/** @returns the number to show at that time */
export function createCountDown(): (report: AheadReport, nowMs: number) => number {
  let displayed = Number.POSITIVE_INFINITY;
  let lastAhead = Number.POSITIVE_INFINITY;

  return ({ ahead, pace, atMs, forMs }, nowMs) => {
    const passedMs = Math.min(forMs, Math.max(0, nowMs - atMs));
    const falls = pace
      ? Math.floor(placesAfter(pace, passedMs / 1_000) * (pace.show_rate ?? 1) * (1 - pace.spread))
      : 0;
    const due = Math.max(Math.min(1, ahead), ahead - falls);
    displayed = ahead > lastAhead ? due : Math.min(displayed, due);
    lastAhead = ahead;
    return displayed;
  };
}
