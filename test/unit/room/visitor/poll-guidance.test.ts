/** How often pages ask: often enough that a wait of minutes lives, seldom enough far back. The server and the page reckon alike. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { pollGuidance, pollGuidanceOf } from "../../../../src/room/index.ts";
import {
  farMs,
  pollAfterMs as pageAsksAfterMs,
  pollForDrawMs,
  pollForOpeningMs,
  pollPauseMs,
  spreadMost,
} from "../../../../src/room/public-status/pacing.ts";
import { pollAfterMs } from "../../../../src/room/visitor/place-status.ts";

test("at most 15 s apart for waits under ten minutes, 40 s for longer ones, 2 s near the front", () => {
  expect([0, 20, 100, 150, 300, 599].map((sec) => pollAfterMs(0, sec))).toEqual([
    2_000, 2_000, 10_000, 11_500, 11_500, 11_500,
  ]);
  expect([600, 9_999].map((sec) => pollAfterMs(0, sec))).toEqual([40_000, 40_000]);
  // Where no pace is known, one a second is taken.
  expect([599, 600].map((ahead) => pollAfterMs(ahead, null))).toEqual([11_500, 40_000]);
  // The longest pause of a page, jitter included.
  expect(11_500 * spreadMost).toBeLessThanOrEqual(15_000);
});

test("a page asks by what its status says as the server tells programs to", () => {
  fc.assert(
    fc.property(fc.nat(1_000_000), fc.option(fc.nat(7_200)), (ahead, highSec) => {
      const wait: [number, number] | null = highSec === null ? null : [Math.min(highSec, farMs / 1_000), highSec];
      expect(Math.round(pageAsksAfterMs(pollGuidance, ahead, wait))).toBe(pollAfterMs(ahead, highSec));
    }),
  );
});

test("with more than twenty minutes to go at the short end of the wait a page asks once in two minutes, and from then on as usual", () => {
  const asksAfter = (lowSec: number) => pageAsksAfterMs(pollGuidance, 0, [lowSec, 2 * lowSec]);
  expect([1_200, 1_240, 1_241, 1_290, 1_320, 9_999].map(asksAfter)).toEqual([
    40_000, 40_000, 41_000, 90_000, 120_000, 120_000,
  ]);
  const pauses = [0, 0.5, 0.999].map((chance) => pollPauseMs(pollGuidance, 0, [5_000, 9_000], () => chance));
  expect(Math.min(...pauses)).toBe(120_000);
  expect(Math.max(...pauses)).toBeLessThan(138_000);
  // A page before the doors has at least the time to their opening to go, and a page of a draw as well.
  const inHalfAnHourMs = 1_800_000;
  expect(pollForOpeningMs(pollGuidance, 0, null, inHalfAnHourMs, () => 0)).toBe(120_000);
  expect(pollForDrawMs(pollGuidance, false, 9, inHalfAnHourMs, () => 0)).toBe(120_000);
  expect(pollForOpeningMs(pollGuidance, 0, [0, 60], 60_000, () => 0)).toBeLessThan(40_000);
});

test("pages of rooms whose turns are short ask more often: an operator may call anybody at any time", () => {
  const farCeilingMs = (claimWithinMs: number) =>
    pollGuidanceOf({ admission: { claimWithinMs } } as never).far_ceiling_ms;
  expect([900_000, 480_000, 240_000, 160_000, 1_000].map(farCeilingMs)).toEqual([
    120_000, 120_000, 60_000, 40_000, 40_000,
  ]);
});
