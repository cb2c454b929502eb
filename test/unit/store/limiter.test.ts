import fc from "fast-check";
import { expect, it } from "vitest";
import { addLog, latestTat, limiterSlot, pruneLog, recordAdmission, slotsNow } from "../../../src/core/limiter.ts";
import { createCountLog } from "../../../src/core/ports/lists.ts";

const createLimiter = (flowMs: number) => ({ flowMs, logTotal: 0, tatMs: 0, log: createCountLog() });

const limit = fc.constantFrom(1, 2, 5, 12, 60, 600, 1_000, 1_001, 6_000);
const waits = fc.array(fc.integer({ min: 0, max: 8_000 }), { minLength: 1, maxLength: 40 });

it("says how many may pass at once: just so many do", () => {
  fc.assert(
    fc.property(limit, waits, (perMinute, steps) => {
      const limiter = createLimiter(1_000_000);
      for (const [i, step] of steps.entries()) {
        limiter.flowMs += step;
        pruneLog(limiter);
        const slots = slotsNow(limiter, perMinute, perMinute);
        // Some take only a part of it.
        const taken = i % 3 === 0 ? Math.ceil(slots / 2) : slots;
        for (let k = 0; k < taken; k++) {
          expect(limiterSlot(limiter, perMinute, 0, true, perMinute)).toBe(limiter.flowMs);
          recordAdmission(limiter, perMinute, perMinute);
        }
        if (taken !== slots) continue;
        expect(limiterSlot(limiter, perMinute, 0, true, perMinute)).toBeGreaterThan(limiter.flowMs);
      }
    }),
  );
});

it("never lets the pacing get further ahead than the burst allows, however many pass unlimited", () => {
  fc.assert(
    fc.property(limit, fc.integer({ min: 1, max: 3_000 }), (perMinute, passing) => {
      const limiter = createLimiter(1_000_000);
      for (let i = 0; i < passing; i++) recordAdmission(limiter, perMinute, perMinute);
      expect(limiter.tatMs).toBeLessThanOrEqual(latestTat(perMinute, 1_000_000, perMinute));
      expect(limiter.logTotal).toBe(passing);
    }),
  );
});

it("admits more at once while nobody waits, and never more than a tenth of the limit", () => {
  for (const perMinute of [1, 5, 12, 20, 60, 600, 6_000]) {
    const inOneGo = (nobodyWaits: boolean) => {
      const limiter = createLimiter(1_000_000);
      let admitted = 0;
      while (limiterSlot(limiter, perMinute, 0, nobodyWaits, perMinute) === 1_000_000) {
        recordAdmission(limiter, perMinute, perMinute);
        admitted++;
      }
      return admitted;
    };
    expect(inOneGo(true)).toBeGreaterThanOrEqual(inOneGo(false));
    expect(inOneGo(true)).toBeLessThanOrEqual(Math.max(1, perMinute / 10));
  }
});

it.each([60, 6_000])("counts an admission for a minute and a margin, of a limit of %i a minute", (perMinute) => {
  for (const atMs of [1_000_000, 1_000_001, 1_000_050, 1_000_099]) {
    const limiter = createLimiter(atMs);
    recordAdmission(limiter, perMinute, perMinute);
    const countedAt = (laterMs: number) => {
      limiter.flowMs = atMs + laterMs;
      pruneLog(limiter);
      return limiter.logTotal;
    };
    expect([60_199, 60_300].map(countedAt)).toEqual([1, 0]);
  }
});

it("adds another log by age: nothing counts for less than its minute, nor much longer, and nothing twice", () => {
  const entries = fc.array(fc.integer({ min: 0, max: 70_000 }), { maxLength: 60 });
  fc.assert(
    fc.property(entries, entries, fc.integer({ min: -9_999, max: 9_999 }), limit, (own, others, aheadMs, perMinute) => {
      const flowMs = 2_000_000;
      const logOf = (ages: readonly number[], nowMs: number) => {
        const limiter = createLimiter(nowMs);
        for (const age of ages.toSorted((a, b) => b - a)) {
          limiter.flowMs = nowMs - age;
          recordAdmission(limiter, perMinute, perMinute);
        }
        limiter.flowMs = nowMs;
        return limiter;
      };
      const limiter = logOf(own, flowMs);
      pruneLog(limiter);
      addLog(limiter, logOf(others, flowMs - aheadMs));
      const times = limiter.log.entries.map(({ atMs }) => atMs);
      expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b));
      for (let laterMs = 0; laterMs < 70_000; laterMs += 7_001) {
        limiter.flowMs = flowMs + laterMs;
        pruneLog(limiter);
        const within = (ms: number) => [...own, ...others].filter((age) => age + laterMs < ms).length;
        expect(limiter.logTotal).toBeGreaterThanOrEqual(within(60_200));
        expect(limiter.logTotal).toBeLessThanOrEqual(within(60_400));
      }
    }),
  );
});
