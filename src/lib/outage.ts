import { LRUCache } from "lru-cache";
import type { Clock } from "./clock-and-random.ts";

/** Visitors whose requests must fail one after the other: what one of them sends may be at fault. */
const manyVisitors = 3;
/** Milliseconds within which they fail. */
const windowMs = 10_000;

/** Whether a service is away: it has failed many visitors, and served none in between. What one visitor causes changes nothing for others. */
export function createOutage(clock: Clock) {
  const failedMs = new Map<string, number>();
  let endMs = Number.NEGATIVE_INFINITY;
  let beganMs = 0;

  return {
    /** Milliseconds for which it is left alone; 0: it may be asked. */
    get leftMs(): number {
      const nowMs = clock.now();
      // The clock was set back.
      return nowMs < beganMs ? 0 : Math.max(0, endMs - nowMs);
    },

    /** It has served somebody. */
    end(): void {
      failedMs.clear();
      endMs = Number.NEGATIVE_INFINITY;
    },

    /** @param visitor names one: by their address, say @param restMs how long it is left alone where many have failed */
    fail(visitor: string, restMs: number): void {
      const nowMs = clock.now();
      failedMs.delete(visitor);
      failedMs.set(visitor, nowMs);
      for (const [other, sinceMs] of failedMs) {
        if (failedMs.size > manyVisitors || Math.abs(nowMs - sinceMs) > windowMs) failedMs.delete(other);
      }
      if (failedMs.size < manyVisitors) return;
      beganMs = nowMs;
      endMs = nowMs + restMs;
    },
  };
}

/** Services that are remembered: strangers may name some of them. */
const servicesMax = 1_000;

/** The outages of several services, by their names. @param max so many are remembered, those that were asked last */
export function createOutages(clock: Clock, max = servicesMax) {
  const outages = new LRUCache<string, ReturnType<typeof createOutage>>({ max });
  return {
    of(service: string) {
      const outage = outages.get(service) ?? createOutage(clock);
      outages.set(service, outage);
      return outage;
    },
  };
}
