import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { agreedGaps, moveOver, normalizeGaps, placesBetween } from "../../../src/core/positions.ts";
import type { Gap } from "../../../src/store/contract/room-store.ts";

const gaps = fc
  .array(fc.record({ from: fc.integer({ min: 1, max: 80 }), size: fc.integer({ min: 0, max: 15 }) }), { maxLength: 8 })
  .map((list) => normalizeGaps(list.map(({ from, size }) => ({ from, to: from + size - 1 }))));
const isGap = (list: readonly Gap[], position: number) => list.some((g) => position >= g.from && position <= g.to);
const counter = fc.integer({ min: 0, max: 100 });

describe("gaps", () => {
  it("cost nothing: counting place by place gives the same", () => {
    fc.assert(
      fc.property(gaps, counter, counter, (list, a, b) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)];
        let places = 0;
        for (let position = low + 1; position <= high; position++) if (!isGap(list, position)) places++;
        expect(placesBetween(list, low, high)).toBe(places);
      }),
    );
  });

  it("are skipped: a step up passes just as many places as it says, and ends on a place", () => {
    fc.assert(
      fc.property(gaps, counter, fc.integer({ min: 1, max: 60 }), (list, start, by) => {
        const end = moveOver(list, start, by);
        expect(placesBetween(list, start, end)).toBe(by);
        expect(isGap(list, end)).toBe(false);
      }),
    );
  });

  it("are skipped by a step down, which ends at 0 at the lowest", () => {
    fc.assert(
      fc.property(gaps, counter, fc.integer({ min: 1, max: 60 }), (list, start, by) => {
        const end = moveOver(list, start, -by);
        expect(end).toBeGreaterThanOrEqual(0);
        expect(placesBetween(list, end, start)).toBe(Math.min(by, placesBetween(list, 0, start)));
      }),
    );
  });

  it("never grow when two memories agree on them", () => {
    fc.assert(
      fc.property(gaps, gaps, counter, (own, others, queued) => {
        const agreed = normalizeGaps(agreedGaps(own, others, queued));
        for (let position = 1; position <= 100; position++) {
          if (isGap(agreed, position)) expect(isGap(own, position)).toBe(true);
          if (isGap(own, position) && isGap(others, position)) expect(isGap(agreed, position)).toBe(true);
        }
      }),
    );
  });
});
