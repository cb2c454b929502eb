/**
 * How many people are ahead now, between two answers of the server: fewer and fewer, by the pace that the last answer told. A pure
 * function of what is known and of the time, but for what has been shown before.
 *
 * - It falls at the slow end of what is expected (`places_per_minute` as if everybody were there, less `spread`), so the next answer mostly finds it too high.
 * - It falls for no longer than until the next question is due, and never to 0 unless the server has said so. So it is never lower than the
 *   truth by more than what that pace brings in that time: 52 s at most, 15 s for waits under ten minutes.
 * - It stands still where the line does, where no pace is known, and while no answers come.
 * - It never rises by itself. Where an answer names more people than are shown, the number stays until the line has come to it. It rises where an
 *   answer names more people than the answer before: the truth did, and the page says why.
 */
import type { PaceJson } from "../../room/public-status/status.ts";

/** What the last answer told, or the page itself. */
export interface AheadReport {
  readonly ahead: number;
  /** Null where the line stands still, where nothing is known of its pace, or where the number is only a bound. */
  readonly pace: PaceJson | null;
  /** When it was told, by the clock that gives the time below. */
  readonly atMs: number;
  /** How long after that the next question is due. */
  readonly forMs: number;
}

/** Places that the line moves on in so many seconds: the inverse of how a wait is reckoned (src/room/public-status/pacing.ts). */
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
