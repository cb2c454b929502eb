import type { Clock } from "./clock-and-random.ts";

/**
 * The store's wall clock, as far as this process knows: its own clock, and the difference between the two. Reported and
 * compared times use it, so a process whose own clock is wrong agrees with all others.
 */
export interface StoreClock extends Clock {
  /** How far this process's own clock is ahead of it, in milliseconds; negative behind; null before the first sync. */
  readonly skewMs: number | null;
}

/** A correction as small as this stops the clock for a moment, and does not turn it back. */
const stillMs = 2_000;

export function createStoreClock(local: Clock) {
  let offsetMs = 0;
  let isSynced = false;
  let lastMs = Number.NEGATIVE_INFINITY;
  return {
    get skewMs(): number | null {
      return isSynced ? -offsetMs : null;
    },

    now() {
      const nowMs = local.now() + offsetMs;
      if (nowMs >= lastMs || lastMs - nowMs > stillMs) lastMs = nowMs;
      return lastMs;
    },

    /** The store answered its time; asked and answered by this process's own clock. */
    sync(storeMs: number, sentMs: number, answeredMs: number): void {
      // The store looked at its clock, which shows whole milliseconds, somewhere between question and answer.
      const [least, most] = [storeMs - answeredMs, storeMs + 1 - sentMs];
      // This process's own clock was set meanwhile.
      if (most < least) return;
      // What was measured before stays while it may be right: an answer that took long says little.
      offsetMs = isSynced ? Math.min(most, Math.max(least, offsetMs)) : Math.round((least + most) / 2);
      isSynced = true;
    },
  };
}

/** Of a store that goes by this process's own clock. */
export function unskewed(local: Clock): StoreClock {
  return { now: () => local.now(), skewMs: 0 };
}
