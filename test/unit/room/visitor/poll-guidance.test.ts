/** How often pages ask: often enough that a wait of minutes moves, seldom enough far back. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { pollAfterMs as pageAsksAfterMs } from "../../../../src/pages/shared/pacing.ts";
import { pollAfterMs, pollGuidance } from "../../../../src/room/visitor/place-status.ts";

const told = {
  floor_ms: pollGuidance.floorMs,
  ceiling_ms: pollGuidance.ceilingMs,
  divisor: pollGuidance.divisor,
  spread_ms: pollGuidance.spreadMs,
};

test("within ten minutes of the turn a visitor asks at most 15 s apart, near the front every 2 s, far back every 40 s", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 600 }), fc.nat(1_000_000), (waitSec, ahead) => {
      expect(pollAfterMs(ahead, waitSec)).toBeLessThanOrEqual(15_000);
      expect(pageAsksAfterMs(told, ahead, [0, waitSec])).toBeLessThanOrEqual(15_000);
    }),
  );
  expect([pollAfterMs(5, 5), pollAfterMs(600, 600), pollAfterMs(9_999, 9_999)]).toEqual([2_000, 15_000, 40_000]);
});

test("in its last ten minutes a page asks about 120 times", () => {
  let asked = 0;
  for (let waitSec = 600; waitSec > 0; waitSec -= pageAsksAfterMs(told, 0, [0, waitSec]) / 1_000) asked++;
  expect(asked).toBeGreaterThan(100);
  expect(asked).toBeLessThan(140);
});
