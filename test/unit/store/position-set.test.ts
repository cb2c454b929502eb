import fc from "fast-check";
import { expect, it } from "vitest";
import { addPosition, countPositions, createPositionSet, hasPosition } from "../../../src/core/ports/sets.ts";

it("has just the positions that were added, and keeps them as it grows", () => {
  const position = fc.integer({ min: 0, max: 30_000 });
  fc.assert(
    fc.property(fc.array(position), fc.array(position), (added, others) => {
      const set = createPositionSet();
      for (const each of added) addPosition(set, each);
      const known = new Set(added);
      for (const each of [...added, ...others]) expect(hasPosition(set, each)).toBe(known.has(each));
    }),
  );
});

it("takes little more than a bit for each position", () => {
  const set = createPositionSet();
  for (let position = 1; position <= 1_000_000; position++) addPosition(set, position);
  expect(set.words.byteLength).toBeLessThanOrEqual(2 * 125_004);
});

it("counts the positions of a range, both ends included, however it lies to the bytes", () => {
  const position = fc.integer({ min: 0, max: 20_000 });
  const near = fc.integer({ min: 0, max: 40 });
  fc.assert(
    fc.property(
      fc.array(fc.oneof(near, position)),
      fc.oneof(near, position),
      fc.oneof(near, position),
      (added, a, b) => {
        const set = createPositionSet();
        for (const each of added) addPosition(set, each);
        const counted = new Set(added.filter((each) => each >= a && each <= b)).size;
        expect(countPositions(set, a, b)).toBe(counted);
      },
    ),
    { numRuns: 500 },
  );
});

it("counts nothing in an empty set or range, and beyond what was ever added", () => {
  const set = createPositionSet();
  expect(countPositions(set, 1, 1_000_000_000)).toBe(0);
  for (let each = 1; each <= 100; each++) addPosition(set, each);
  expect(countPositions(set, 1, 100)).toBe(100);
  expect(countPositions(set, 101, 1_000_000_000)).toBe(0);
  expect(countPositions(set, 50, 49)).toBe(0);
  expect(countPositions(set, 100, 100)).toBe(1);
});
