import { expect, test } from "vitest";
import { createPositionsSeen } from "../../bench/many/positions-seen.ts";

test("positions that come once and in order are no fault, whatever order answers come in", () => {
  const seen = createPositionsSeen();
  // Asked for at once, answered the other way round.
  for (const position of [2, 1]) seen.note(position, 0);
  seen.note(3_000_000, seen.highest());
  expect(seen.figures()).toEqual({ count: 3, highest: 3_000_000, repeated: 0, out_of_order: 0 });
});

test("a position that is given out twice is noticed, and one before a place that was answered already", () => {
  const seen = createPositionsSeen();
  for (const position of [1, 2, 2]) seen.note(position, 0);
  seen.note(4, 4);
  expect(seen.figures()).toMatchObject({ repeated: 1, out_of_order: 1 });
});
