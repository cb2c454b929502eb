import { expect, test } from "vitest";
import { runByClock, systemClock } from "../../../src/lib/clock-and-random.ts";

test("only what is run by a clock, and what it waits for, is told its time", async () => {
  const clock = { now: () => 5_000.7 };
  const inside = runByClock(clock, async () => {
    const first = Date.now();
    await new Promise(setImmediate);
    return [first, Date.now(), systemClock.now()];
  });
  const outside = Date.now();
  const [first, later, system] = await inside;
  expect([first, later]).toEqual([5_000, 5_000]);
  expect(Math.min(outside, system ?? 0)).toBeGreaterThan(1_700_000_000_000);
});

test("a clock that asks for the system's time gets it", () => {
  expect(runByClock({ now: () => Date.now() - 1_000 }, () => Date.now())).toBeLessThan(systemClock.now());
});
