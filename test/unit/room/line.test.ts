import fc from "fast-check";
import { expect, test } from "vitest";
import { peopleAhead, peopleWaiting } from "../../../src/room/line.ts";

test("people ahead are the handed-out positions between the serving counter and one's own", () => {
  const line = fc.record({
    serving: fc.integer({ min: 0, max: 60 }),
    position: fc.integer({ min: 1, max: 80 }),
    gapFrom: fc.integer({ min: 1, max: 80 }),
    gapLength: fc.integer({ min: 1, max: 30 }),
  });
  fc.assert(
    fc.property(line, ({ serving, position, gapFrom, gapLength }) => {
      const gap = { from: gapFrom, to: gapFrom + gapLength - 1 };
      fc.pre(position < gap.from || position > gap.to);
      let counted = 0;
      for (let other = serving + 1; other < position; other++) {
        if (other < gap.from || other > gap.to) counted++;
      }
      expect(peopleAhead({ serving, gaps: [gap] }, position)).toBe(counted);
    }),
  );
});

test("people waiting leave out gaps, and nobody waits while places are open", () => {
  expect(peopleWaiting({ serving: 10, queued: 30, gaps: [{ from: 15, to: 19 }] })).toBe(15);
  expect(peopleWaiting({ serving: 40, queued: 30, gaps: [] })).toBe(0);
});
