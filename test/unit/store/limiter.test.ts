import fc from "fast-check";
import { expect, it } from "vitest";
import { createLimiter } from "../../../src/store/memory/data.ts";
import {
  addLog,
  latestTat,
  limiterSlot,
  pruneLog,
  recordAdmission,
  slotsNow,
} from "../../../src/store/memory/limiter.ts";

const limit = fc.constantFrom(1, 2, 5, 12, 60, 600, 1_000, 1_001, 6_000);
const waits = fc.array(fc.integer({ min: 0, max: 8_000 }), { minLength: 1, maxLength: 40 });

it("says how many may pass at once: just so many do", () => {
  fc.assert(
    fc.property(limit, waits, (perMinute, steps) => {
      const limiter = createLimiter();
      let flowMs = 1_000_000;
      for (const [i, step] of steps.entries()) {
        flowMs += step;
        pruneLog(limiter, flowMs);
        const slots = slotsNow(limiter, perMinute, flowMs);
        // Some take only a part of it.
        const taken = i % 3 === 0 ? Math.ceil(slots / 2) : slots;
        for (let k = 0; k < taken; k++) {
          expect(limiterSlot(limiter, perMinute, flowMs, 0, true)).toBe(flowMs);
          recordAdmission(limiter, perMinute, flowMs);
        }
        if (taken === slots) expect(limiterSlot(limiter, perMinute, flowMs, 0, true)).toBeGreaterThan(flowMs);
      }
    }),
  );
});

it("never lets the pacing get further ahead than the burst allows, however many pass unlimited", () => {
  fc.assert(
    fc.property(limit, fc.integer({ min: 1, max: 3_000 }), (perMinute, passing) => {
      const limiter = createLimiter();
      for (let i = 0; i < passing; i++) recordAdmission(limiter, perMinute, 1_000_000);
      expect(limiter.tatMs).toBeLessThanOrEqual(latestTat(perMinute, 1_000_000));
      expect(limiter.total).toBe(passing);
    }),
  );
});

it("admits more at once while nobody waits, and never more than a tenth of the limit", () => {
  for (const perMinute of [1, 5, 12, 20, 60, 600, 6_000]) {
    const inOneGo = (nobodyWaits: boolean) => {
      const limiter = createLimiter();
      let admitted = 0;
      while (limiterSlot(limiter, perMinute, 1_000_000, 0, nobodyWaits) === 1_000_000) {
        recordAdmission(limiter, perMinute, 1_000_000);
        admitted++;
      }
      return admitted;
    };
    expect(inOneGo(true)).toBeGreaterThanOrEqual(inOneGo(false));
    expect(inOneGo(true)).toBeLessThanOrEqual(Math.max(1, perMinute / 10));
  }
});

it("adds another log by age: nothing counts for less than its minute, nor much longer, and nothing twice", () => {
  const entries = fc.array(fc.integer({ min: 0, max: 70_000 }), { maxLength: 60 });
  fc.assert(
    fc.property(entries, entries, fc.integer({ min: -9_999, max: 9_999 }), limit, (own, others, aheadMs, perMinute) => {
      const flowMs = 2_000_000;
      const logOf = (ages: readonly number[], nowMs: number) => {
        const limiter = createLimiter();
        for (const age of ages.toSorted((a, b) => b - a)) recordAdmission(limiter, perMinute, nowMs - age);
        return limiter;
      };
      const limiter = logOf(own, flowMs);
      pruneLog(limiter, flowMs);
      addLog(limiter, flowMs, logOf(others, flowMs - aheadMs), flowMs - aheadMs);
      const times = limiter.log.map(({ atMs }) => atMs);
      expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b));
      for (let laterMs = 0; laterMs < 70_000; laterMs += 7_001) {
        pruneLog(limiter, flowMs + laterMs);
        const within = (ms: number) => [...own, ...others].filter((age) => age + laterMs < ms).length;
        expect(limiter.total).toBeGreaterThanOrEqual(within(60_200));
        expect(limiter.total).toBeLessThanOrEqual(within(60_400));
      }
    }),
  );
});
