import type { Clock } from "../../src/lib/clock-and-random.ts";

/** A clock that stands still until a test moves it, forwards or back. */
export interface MovedClock extends Clock {
  advance(ms: number): void;
}

export function createMovedClock(startMs = 1_800_000_000_000): MovedClock {
  let nowMs = startMs;
  return {
    now: () => nowMs,
    advance: (ms) => {
      nowMs += ms;
    },
  };
}
