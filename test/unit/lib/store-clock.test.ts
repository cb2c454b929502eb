import { expect, test } from "vitest";
import { createStoreClock } from "../../../src/lib/store-clock.ts";

const hour = 3_600_000;

function clockOf(start: number) {
  let nowMs = start;
  const clock = createStoreClock({ now: () => nowMs });
  return { clock, pass: (ms: number) => (nowMs += ms), now: () => nowMs };
}

test("it is the store's time to within the time that the answer took, whatever this process's own says", () => {
  const { clock, pass, now } = clockOf(10 * hour);
  expect(clock.skewMs).toBeNull();
  expect(clock.now()).toBe(10 * hour);
  const store = () => now() - hour;
  const askedMs = now();
  pass(3);
  clock.sync(store(), askedMs, pass(3));
  expect(Math.abs(clock.now() - store())).toBeLessThanOrEqual(4);
  expect(Math.abs((clock.skewMs ?? 0) - hour)).toBeLessThanOrEqual(4);
  pass(60_000);
  expect(Math.abs(clock.now() - store())).toBeLessThanOrEqual(4);
});

test("an answer that took long takes nothing away from what is known", () => {
  const { clock, pass, now } = clockOf(hour);
  clock.sync(now(), now(), now());
  const askedMs = now();
  pass(1_900);
  clock.sync(askedMs + 1_850, askedMs, now());
  expect(Math.abs(clock.now() - now())).toBeLessThanOrEqual(1);
});

test("a small correction never turns it back; a clock that is set is followed, the store's or this process's", () => {
  const { clock, pass, now } = clockOf(hour);
  clock.sync(now(), now(), now());
  const before = clock.now();
  clock.sync(now() - 500, now(), now());
  expect(clock.now()).toBe(before);
  pass(600);
  expect(clock.now()).toBeGreaterThan(before);
  const set = now() - hour;
  clock.sync(set, now(), now());
  expect(Math.abs(clock.now() - set)).toBeLessThanOrEqual(1);
  pass(hour);
  clock.sync(set + 1_000, now(), now());
  expect(Math.abs(clock.now() - set - 1_000)).toBeLessThanOrEqual(1);
});
