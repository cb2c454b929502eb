/** Until when a turn is held, as far as one can know from outside. Pure functions. */
import type { TimeWords } from "./time-words.ts";

/**
 * The line came to the visitor some time after the last numbers that said otherwise, so the turn lasts at least as
 * long as is reckoned from those. Time in which the line is known to have stood still does not count. All times are the server's.
 *
 * @param claimWithinMs how long a turn is held; null where the page does not say
 */
export function createTurnDeadline(position: number, claimWithinMs: number | null) {
  let countsFromMs: number | null = null;
  let last = { atMs: 0, standsStill: false };
  return {
    /** Takes note of numbers that were true at `atMs`. */
    note(serving: number, atMs: number, standsStill: boolean): void {
      if (serving < position) countsFromMs = atMs;
      else if (countsFromMs !== null && standsStill && last.standsStill) countsFromMs += Math.max(0, atMs - last.atMs);
      last = { atMs, standsStill };
    },
    /** Nobody has to come by then. */
    forget(): void {
      countsFromMs = null;
    },
    /** In words; nothing where it is not known. */
    describe(texts: { until: string; passed: string }, times: TimeWords, nowMs: number): string {
      if (countsFromMs === null || claimWithinMs === null) return "";
      const untilMs = countsFromMs + claimWithinMs;
      if (untilMs <= nowMs) return texts.passed;
      return texts.until.replace("{time}", times.clock(untilMs)).replace("{span}", times.span(untilMs - nowMs));
    },
  };
}
