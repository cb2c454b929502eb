/** The people ahead between two answers: what is shown never rises while the truth does not, and is never lower than the truth by more than is told. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { estimateWait, pollAfterMs } from "../../../../src/room/public-status/pacing.ts";
import type { PaceJson } from "../../../../src/room/public-status/status.ts";
import { type AheadReport, createCountDown, placesAfter } from "../../../../src/web/browser/count-down.ts";

const startMs = Date.UTC(2030, 0, 1);
const paceOf = (perMinute: number | null, spread = 0, rest: Partial<PaceJson> = {}): PaceJson => ({
  steps: [],
  show_rate: 1,
  spread_up: spread,
  called: 0,
  extra_seconds: 0,
  note: null,
  ...rest,
  places_per_minute: perMinute,
  spread,
});
const told = (ahead: number, rest: Partial<AheadReport> = {}): AheadReport => ({
  ahead,
  pace: paceOf(60),
  atMs: startMs,
  forMs: 15_000,
  ...rest,
});

/** What the tolerance is made of: what the slow end of the pace brings until the next question. */
function mayFall({ pace, forMs }: AheadReport): number {
  return pace === null ? 0 : placesAfter(pace, forMs / 1_000) * (pace.show_rate ?? 1) * (1 - pace.spread);
}

const steps = fc
  .array(fc.record({ sec: fc.integer({ min: 1, max: 60 }), places: fc.nat(500) }), { maxLength: 3 })
  .map((parts) => {
    let [sec, places] = [0, 0];
    return parts.map((part): [number, number] => {
      sec += part.sec;
      places += part.places;
      return [sec, places];
    });
  });
const anyPace = fc.record({
  steps,
  places_per_minute: fc.option(fc.nat(20_000)),
  show_rate: fc.double({ min: 0.02, max: 1, noNaN: true }),
  spread: fc.double({ min: 0, max: 1, noNaN: true }),
  spread_up: fc.double({ min: 0, max: 1, noNaN: true }),
  called: fc.constant(0),
  extra_seconds: fc.nat(60),
  note: fc.constant(null),
});
/** An answer, or time that passes: also back, and for hours, as for a tab that slept. */
const anyEvent = fc.oneof(
  fc.record({ falls: fc.nat(2_000), pace: fc.option(anyPace), forMs: fc.integer({ min: 2_000, max: 52_000 }) }),
  fc.record({
    passesMs: fc.oneof(fc.integer({ min: 0, max: 60_000 }), fc.integer({ min: -7_200_000, max: 7_200_000 })),
  }),
);

describe("the number that is shown", () => {
  test("never rises while the answers do not, whatever the pace and the clock do, and is never below what was told by more than the tolerance", () => {
    fc.assert(
      fc.property(fc.nat(100_000), fc.array(anyEvent, { maxLength: 60 }), (first, events) => {
        const count = createCountDown();
        let nowMs = startMs;
        let known = told(first);
        let before = Number.POSITIVE_INFINITY;
        let tolerance = 0;
        for (const event of events) {
          if ("passesMs" in event) nowMs += event.passesMs;
          else {
            const { falls, ...rest } = event;
            known = { ...known, ...rest, ahead: Math.max(0, known.ahead - falls), atMs: nowMs };
          }
          tolerance = Math.max(tolerance, mayFall(known));
          const shown = count(known, nowMs);
          expect(shown).toBeLessThanOrEqual(Math.min(before, known.ahead));
          expect(shown).toBeGreaterThanOrEqual(Math.max(Math.min(1, known.ahead), known.ahead - tolerance));
          expect(Number.isInteger(shown)).toBe(true);
          before = shown;
        }
      }),
    );
  });

  test("is never lower than the truth by more than the tolerance, in a line that goes on, slows down or stops at any moment", () => {
    const second = fc.record({ served: fc.nat(4), isTold: fc.boolean() });
    fc.assert(
      fc.property(
        fc.nat(500),
        fc.integer({ min: 1, max: 300 }),
        fc.array(second, { maxLength: 300 }),
        (first, perMinute, seconds) => {
          const count = createCountDown();
          let truth = first;
          let known = told(truth, { pace: paceOf(perMinute, 0.1) });
          const tolerance = mayFall(known);
          seconds.forEach(({ served, isTold }, index) => {
            const nowMs = startMs + 1_000 * index;
            truth = Math.max(0, truth - served);
            // Due every fifteen seconds, unless no answer comes.
            if (index % 15 === 0 && isTold) known = { ...known, ahead: truth, atMs: nowMs };
            expect(count(known, nowMs)).toBeGreaterThanOrEqual(truth - tolerance);
          });
        },
      ),
    );
  });

  test("is the answer's own as long as no pace is known or the pace is none", () => {
    for (const pace of [null, paceOf(null), paceOf(0)]) {
      const count = createCountDown();
      for (const [ahead, afterMs] of [
        [40, 0],
        [40, 14_000],
        [37, 20_000],
        [41, 40_000],
      ] as const) {
        expect(count(told(ahead, { pace }), startMs + afterMs)).toBe(ahead);
      }
    }
  });

  test("never rises while the answers fall, however far it has gone ahead of them: in a pause, after a fault, at another pace", () => {
    const count = createCountDown();
    expect(count(told(100, { pace: paceOf(120) }), startMs + 15_000)).toBe(70);
    for (const [ahead, pace] of [
      [99, null],
      [98, paceOf(1)],
      [83, paceOf(60)],
      [83, null],
      [71, null],
    ] as const) {
      expect(count(told(ahead, { pace, atMs: startMs + 60_000 }), startMs + 60_000)).toBe(70);
    }
    expect(count(told(69, { pace: null }), startMs + 90_000)).toBe(69);
  });

  test("falls evenly at the slow end of the pace, until the next question is due", () => {
    const count = createCountDown();
    const known = told(100, { pace: paceOf(60, 0.1) });
    const shown = [0, 1, 2, 3, 5, 10, 14, 15, 16, 60, 3_600].map((sec) => count(known, startMs + 1_000 * sec));
    expect(shown).toEqual([100, 100, 99, 98, 96, 91, 88, 87, 87, 87, 87]);
  });

  test("waits for what holds the line, such as the end of a recovery", () => {
    const count = createCountDown();
    const known = told(100, { pace: paceOf(60, 0, { extra_seconds: 5 }) });
    expect([4, 5, 6, 8].map((sec) => count(known, startMs + 1_000 * sec))).toEqual([100, 100, 99, 97]);
  });

  test("says that nobody is ahead when the server has said so, and not before", () => {
    const count = createCountDown();
    expect(count(told(2, { pace: paceOf(600) }), startMs + 15_000)).toBe(1);
    expect(count(told(0, { atMs: startMs + 15_000 }), startMs + 15_000)).toBe(0);
  });

  test("stays where it is in a pause, and until the line has come to it", () => {
    const count = createCountDown();
    expect(count(told(100), startMs + 15_000)).toBe(85);
    const inPause = told(100, { pace: null, atMs: startMs + 15_000 });
    expect(count(inPause, startMs + 15_000)).toBe(85);
    expect(count(inPause, startMs + 900_000)).toBe(85);
    const goesOn = told(90, { pace: paceOf(60), atMs: startMs + 900_000 });
    expect([900, 904, 905, 906].map((sec) => count(goesOn, startMs + 1_000 * sec))).toEqual([85, 85, 85, 84]);
  });

  test("rises at once where an answer names more people than the one before", () => {
    const count = createCountDown();
    expect(count(told(100), startMs + 10_000)).toBe(90);
    expect(count(told(101, { atMs: startMs + 10_000 }), startMs + 10_000)).toBe(101);
    expect(count(told(101, { atMs: startMs + 10_000 }), startMs + 20_000)).toBe(91);
    expect(count(told(101, { atMs: startMs + 25_000 }), startMs + 25_000)).toBe(91);
  });

  test("of a tab that slept is right as soon as there is an answer, and within the tolerance before", () => {
    const count = createCountDown();
    count(told(500), startMs);
    const wokenMs = startMs + 240_000;
    expect(count(told(500), wokenMs)).toBe(485);
    expect(count(told(260, { atMs: wokenMs }), wokenMs)).toBe(260);
  });

  test("does not move with a clock that is put back, and goes on with the next answer", () => {
    const count = createCountDown();
    expect(count(told(100), startMs + 6_000)).toBe(94);
    const backMs = startMs - 3_600_000;
    expect([0, 10, 60].map((sec) => count(told(100), backMs + 1_000 * sec))).toEqual([94, 94, 94]);
    const next = told(92, { atMs: backMs + 60_000 });
    expect([60, 63].map((sec) => count(next, backMs + 1_000 * sec))).toEqual([92, 89]);
  });
});

test("the places that the line moves on are those for which its wait is reckoned", () => {
  fc.assert(
    fc.property(anyPace, fc.integer({ min: 1, max: 600 }), (pace, sec) => {
      const places = placesAfter(pace, sec);
      fc.pre(places > 1);
      const [low, high] = estimateWait({ ...pace, spread: 0, spread_up: 0, show_rate: 1 }, places - 1) ?? [];
      expect(low).toBeLessThanOrEqual(sec + 0.01);
      // Where the line stands still for a while, all those seconds go with the same place: the first of them is told.
      if (!pace.steps.some(([, at], index) => at === (pace.steps[index - 1]?.[1] ?? 0)) && pace.places_per_minute) {
        expect(high).toBeGreaterThanOrEqual(sec - 0.01);
      }
    }),
  );
});

test("goes by what a gateway of 0.2.0 says of the pace, which another one may answer during an upgrade", () => {
  const { show_rate: _rate, spread_up: _up, called: _called, ...older } = paceOf(60);
  const wait = estimateWait(older, 30);
  expect(wait?.every(Number.isFinite)).toBe(true);
  expect(
    pollAfterMs({ floor_ms: 2_000, ceiling_ms: 40_000, divisor: 10, spread_ms: 0 }, 30, wait),
  ).toBeGreaterThanOrEqual(2_000);
  const shown = createCountDown()(told(30, { pace: older }), startMs + 10_000);
  expect(shown).toBeGreaterThan(0);
  expect(shown).toBeLessThan(30);
});
