import fc from "fast-check";
import { expect, it } from "vitest";
import { addPosition, clearPositions, createPositionSet, hasPosition } from "../../../src/store/memory/position-set.ts";

it("has just the positions that were added, and keeps them as it grows", () => {
  const position = fc.integer({ min: 0, max: 30_000 });
  fc.assert(
    fc.property(fc.array(position), fc.array(position), (added, others) => {
      const set = createPositionSet();
      for (const each of added) addPosition(set, each);
      const known = new Set(added);
      for (const each of [...added, ...others]) expect(hasPosition(set, each)).toBe(known.has(each));
      clearPositions(set);
      for (const each of added) expect(hasPosition(set, each)).toBe(false);
    }),
  );
});

it("takes little more than a bit for each position", () => {
  const set = createPositionSet();
  for (let position = 1; position <= 1_000_000; position++) addPosition(set, position);
  expect(set.bits.length).toBeLessThanOrEqual(2 * 125_001);
});
