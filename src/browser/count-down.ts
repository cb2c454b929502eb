/**
 * How many people are ahead now, between two answers of the server: fewer and fewer, by the pace that the last answer told. A pure
 * function of what is known and of the time, but for what has been shown before.
 *
 * - It falls at the slow end of what is expected (`places_per_minute` as if everybody were there, less `spread`), so the next answer mostly finds it too high.
 * - It falls for no longer than until the next question is due, and never to 0 unless the server has said so. So it is never lower than the
 *   truth by more than the **tolerance**: what that pace brings in that time, 52 s at most, 19.5 s for waits under ten minutes.
 * - It stands still where the line does, where no pace is known, and while no answers come.
 * - It never rises by itself. Where an answer names more people than are shown, the number stays until the line has come to it;
 *   where it names more than the tolerance allows, the line was moved back, and the answer holds at once.
 */
import type { PaceJson } from "../pages/shared/status.ts";

/** What the last answer told, or the page itself. */
export interface KnownAhead {
  readonly ahead: number;
  /** Null where the line stands still, where nothing is known of its pace, or where the number is only a bound. */
  readonly pace: PaceJson | null;
  /** When it was told, by the clock that gives the time below. */
  readonly atMs: number;
  /** How long after that the next question is due. */
  readonly forMs: number;
}

/** Places that the line moves on in so many seconds: the inverse of how a wait is reckoned (src/pages/shared/pacing.ts). */
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
export function createCountDown(): (known: KnownAhead, nowMs: number) => number {
  let shown = Number.POSITIVE_INFINITY;
  /** By how much what is shown may be lower than what was told: the most that it has been allowed to fall since. */
  let tolerance = 0;

  return ({ ahead, pace, atMs, forMs }, nowMs) => {
    const fallsIn = (ms: number) =>
      pace ? Math.floor(placesAfter(pace, ms / 1_000) * pace.show_rate * (1 - pace.spread)) : 0;
    const mayFall = fallsIn(forMs);
    const due = Math.max(Math.min(1, ahead), ahead - fallsIn(Math.min(forMs, Math.max(0, nowMs - atMs))));
    const isHeld = due > shown && ahead - shown <= Math.max(tolerance, mayFall);
    tolerance = isHeld ? Math.max(tolerance, mayFall) : mayFall;
    if (!isHeld) shown = due;
    return shown;
  };
}
