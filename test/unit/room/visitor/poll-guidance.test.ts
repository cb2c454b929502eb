/** How often pages ask: often enough that a wait of minutes lives, seldom enough far back. The server and the page reckon alike. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { pollGuidance } from "../../../../src/room/index.ts";
import { pollAfterMs as pageAsksAfterMs, spreadMost } from "../../../../src/room/public-status/pacing.ts";
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
      const wait: [number, number] | null = highSec === null ? null : [0, highSec];
      expect(Math.round(pageAsksAfterMs(pollGuidance, ahead, wait))).toBe(pollAfterMs(ahead, highSec));
    }),
  );
});
