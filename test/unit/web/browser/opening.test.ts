import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { pollForOpeningMs } from "../../../../src/room/public-status/pacing.ts";
import {
  describeOpening,
  laterEntry,
  nextOpening,
  tickingWords,
  watchAfterMs,
} from "../../../../src/web/browser/opening.ts";
import { createTimeWords } from "../../../../src/web/browser/times.ts";

const texts = { unset: "some day", in: "in {span}", now: "any moment" };
const times = createTimeWords("en-GB", "{large} {small}");
const opensAtMs = Date.UTC(2030, 0, 2, 20, 0);
const describeAt = (nowMs: number) => describeOpening(texts, times, opensAtMs, nowMs);

describe("what is said of the opening", () => {
  test("counts down", () => {
    expect(describeAt(opensAtMs - 754_000)).toMatchObject({
      countdown: "in 12 minutes",
      span: "12 minutes",
    });
    const ticking = tickingWords(times);
    const tickAt = (leftMs: number) => describeOpening(texts, ticking, opensAtMs, opensAtMs - leftMs).countdown;
    expect(tickAt(754_000)).toBe("in 12 minutes 34 seconds");
    expect(tickAt(753_000)).toBe("in 12 minutes 33 seconds");
    expect([tickAt(120_000), tickAt(119_900)]).toEqual(["in 2 minutes", "in 119 seconds"]);
    expect([tickAt(3_599_000), tickAt(3_600_000)]).toEqual(["in 59 minutes 59 seconds", "in 1 hour"]);
    expect(describeAt(opensAtMs - 754_000).moment).toContain("2 January");
  });

  test("an opening that is a little late is on its way; one that has been put off is not spoken of", () => {
    expect(describeAt(opensAtMs)).toMatchObject({ countdown: "any moment", span: null });
    expect(describeAt(opensAtMs + 50_000)).toMatchObject({ countdown: "any moment" });
    expect(describeAt(opensAtMs + 70_000)).toEqual({ moment: "some day", countdown: "", span: null });
    expect(describeOpening(texts, times, null, 0)).toEqual({ moment: "some day", countdown: "", span: null });
  });
});

test("the next opening is the next time of the schedule, or the one that was awaited and is a little late", () => {
  const [prequeueMs, opensMs] = [Date.UTC(2030, 0, 2, 19), Date.UTC(2030, 0, 2, 20)];
  const schedule = { prequeue_at: new Date(prequeueMs).toISOString(), opens_at: new Date(opensMs).toISOString() };
  const next = (awaitedMs: number | null, nowMs: number) => nextOpening(schedule, awaitedMs, nowMs);
  expect(next(null, prequeueMs - 1)).toBe(prequeueMs);
  expect(next(null, prequeueMs)).toBe(opensMs);
  expect(next(prequeueMs, prequeueMs + 30_000)).toBe(prequeueMs);
  expect(next(prequeueMs, prequeueMs + 90_000)).toBe(opensMs);
  // Awaited before the schedule was changed.
  expect(next(prequeueMs - 1, prequeueMs + 30_000)).toBe(opensMs);
  expect(next(opensMs, opensMs + 90_000)).toBe(null);
  expect(nextOpening({ prequeue_at: null, opens_at: null }, opensMs, 0)).toBe(null);
  expect(nextOpening({ prequeue_at: null, opens_at: schedule.opens_at }, null, 0)).toBe(opensMs);
});

test("people are let in at the opening, unless the line begins then", () => {
  const opens_at = "2030-01-02T20:00:00Z";
  expect(laterEntry({ opens_at }, opensAtMs - 3_600_000)).toBe(opensAtMs);
  expect(laterEntry({ opens_at }, opensAtMs)).toBe(null);
  expect(laterEntry({ opens_at }, null)).toBe(null);
  expect(laterEntry({ opens_at: null }, opensAtMs)).toBe(null);
});

describe("polls before the opening", () => {
  const poll = { floor_ms: 2_000, ceiling_ms: 40_000, divisor: 10, spread_ms: 5_000 };
  const opensIn = fc.integer({ min: 1, max: 100_000_000 });

  test("near the front, none is later after it than the server's spread, and none is far from the server's pace before", () => {
    fc.assert(
      fc.property(fc.nat(90), opensIn, fc.integer({ min: 9_100, max: 60_000 }), (ahead, opensInMs, spreadMs) => {
        const ms = pollForOpeningMs({ ...poll, spread_ms: spreadMs }, ahead, null, opensInMs, Math.random);
        expect(ms).toBeLessThanOrEqual(Math.min(opensInMs + spreadMs, 40_000 * 1.3));
        expect(ms).toBeGreaterThanOrEqual(Math.min(opensInMs, 2_000 * 0.7));
      }),
    );
  });

  test("the longer the wait that is left then, the longer they spread; far back nobody comes because of the opening", () => {
    const longest = (ahead: number, wait: [number, number] | null) =>
      Math.max(...Array.from({ length: 400 }, () => pollForOpeningMs(poll, ahead, wait, 1, Math.random)));
    expect(longest(9_999, [8, 12])).toBeLessThanOrEqual(5_001);
    expect(longest(9_999, [180, 200])).toBeLessThanOrEqual(20_001);
    expect(longest(9_999, [180, 200])).toBeGreaterThan(15_000);
    expect(longest(250, null)).toBeLessThanOrEqual(25_001);
    expect(longest(250, null)).toBeGreaterThan(20_000);
    const shortest = Math.min(
      ...Array.from({ length: 400 }, () => pollForOpeningMs(poll, 99_999, [400, 500], 1, Math.random)),
    );
    expect(shortest).toBeGreaterThanOrEqual(28_000);
  });

  test("a page without a place asks every 20 to 40 seconds, up to two minutes while it is hours away", () => {
    fc.assert(
      fc.property(opensIn, fc.nat(10_000), (opensInMs, spreadMs) => {
        const ms = watchAfterMs(30_000, opensInMs, spreadMs);
        expect(ms).toBeLessThanOrEqual(Math.min(opensInMs + spreadMs, 120_000));
        expect(ms).toBeGreaterThanOrEqual(Math.min(opensInMs, 20_000));
        if (opensInMs < 3_000_000) expect(ms).toBeLessThanOrEqual(40_000);
        if (opensInMs > 9_000_000) expect(ms).toBeGreaterThanOrEqual(60_000);
      }),
    );
    expect(watchAfterMs(30_000, null, 0)).toBeGreaterThanOrEqual(20_000);
    expect(watchAfterMs(30_000, null, 0)).toBeLessThanOrEqual(40_000);
    expect(watchAfterMs(30_000, -1_000, 0)).toBe(2_000);
  });

  test("a late opening is asked for every few seconds; one that is put off, or has no time, at the usual pace", () => {
    expect(pollForOpeningMs(poll, 50, null, -1_000, Math.random)).toBeLessThanOrEqual(7_000);
    expect(pollForOpeningMs(poll, 50, null, -1_000, Math.random)).toBeGreaterThanOrEqual(2_000);
    expect(pollForOpeningMs(poll, 1_000, null, -90_000, Math.random)).toBeGreaterThanOrEqual(28_000);
    expect(pollForOpeningMs(poll, 1_000, null, null, Math.random)).toBeGreaterThanOrEqual(28_000);
  });
});
