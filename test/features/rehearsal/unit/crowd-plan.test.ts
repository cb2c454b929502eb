import { describe, expect, test } from "vitest";
import { planCrowd, seededChance } from "../../../../src/features/rehearsal/crowd-plan.ts";
import { Latencies } from "../../../../src/features/rehearsal/report/tally.ts";

const options = { visitors: 10_000, minutes: 10, reloads: 20, tabs: 10, noShows: 5 };

describe("the plan of a crowd", () => {
  const plan = planCrowd(options, seededChance(1));
  const share = (is: (visitor: (typeof plan)[number]) => boolean) => plan.filter(is).length / plan.length;

  test("most come first: 63 in 100 within a tenth of the time, everybody within its half, in order", () => {
    expect(share(({ arrivesMs }) => arrivesMs <= 60_000)).toBeCloseTo(0.636, 2);
    expect(share(({ arrivesMs }) => arrivesMs <= 300_000)).toBe(1);
    expect(plan.every(({ arrivesMs }, index) => arrivesMs >= (plan[index - 1]?.arrivesMs ?? 0))).toBe(true);
  });

  test("has the shares that were asked for", () => {
    expect(share(({ reloadsAfterMs }) => reloadsAfterMs !== null)).toBeCloseTo(0.2, 1);
    expect(share(({ tabAfterMs }) => tabAfterMs !== null)).toBeCloseTo(0.1, 1);
    expect(share(({ isNoShow }) => isNoShow)).toBeCloseTo(0.05, 1);
    expect(
      plan.some(({ isNoShow, reloadsAfterMs, tabAfterMs }) => isNoShow && (reloadsAfterMs ?? tabAfterMs) !== null),
    ).toBe(false);
    for (const percent of [0, 100]) {
      const all = planCrowd(
        { ...options, visitors: 500, reloads: percent, tabs: percent, noShows: 0 },
        seededChance(2),
      );
      expect(all.every(({ tabAfterMs }) => (tabAfterMs !== null) === (percent === 100))).toBe(true);
      const nobody = planCrowd({ ...options, visitors: 500, noShows: percent }, seededChance(2));
      expect(nobody.every(({ isNoShow }) => isNoShow === (percent === 100))).toBe(true);
    }
  });

  test("is the same for a seed, and another for another", () => {
    expect(planCrowd(options, seededChance(1))).toEqual(plan);
    expect(planCrowd(options, seededChance(2))).not.toEqual(plan);
    expect(planCrowd({ ...options, visitors: 1 }, seededChance(0))).toHaveLength(1);
  });
});

test("latencies are within a percent or two of the exact ones, and nothing where there are none", () => {
  const latencies = new Latencies();
  expect([latencies.percentile(0.99), latencies.count]).toEqual([0, 0]);
  for (let ms = 1; ms <= 10_000; ms++) latencies.add(ms);
  for (const share of [0.01, 0.5, 0.9, 0.99]) {
    expect(Math.abs(latencies.percentile(share) / (share * 10_000) - 1)).toBeLessThan(0.02);
  }
  expect([latencies.percentile(1), latencies.max, latencies.count]).toEqual([10_000, 10_000, 10_000]);
  const odd = new Latencies();
  for (const ms of [0, 0.01, 1e9]) odd.add(ms);
  expect(odd.percentile(0.5)).toBeLessThanOrEqual(0.1);
});
