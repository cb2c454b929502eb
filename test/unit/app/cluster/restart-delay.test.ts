import { expect, test } from "vitest";
import { createRestartDelay } from "../../../../src/app/cluster/primary.ts";

test("a worker that ends again and again is started ever later, every 30 s at least", () => {
  const delay = createRestartDelay();
  const delays = Array.from({ length: 14 }, () => delay.after(1, 59_999));
  expect(delays.slice(0, 5)).toEqual([100, 200, 400, 800, 1_600]);
  expect(delays.slice(8)).toEqual([25_600, 30_000, 30_000, 30_000, 30_000, 30_000]);
});

test("one that has lived for a minute is started at once, and so is one in another slot", () => {
  const delay = createRestartDelay();
  for (let crash = 0; crash < 5; crash++) delay.after(1, 0);
  expect(delay.after(2, 0)).toBe(100);
  expect(delay.after(1, 60_000)).toBe(100);
  expect(delay.after(1, 0)).toBe(200);
});
