import fc from "fast-check";
import { expect, it } from "vitest";
import { countBelow, createScoredSet, membersBetween, removeMember, setScore } from "../../../src/core/ports/sets.ts";

it("keeps its members in the order of their scores, whatever is put in and taken out", () => {
  const step = fc.record({
    member: fc.integer({ min: 1, max: 20 }),
    score: fc.option(fc.integer({ min: 0, max: 50 }), { freq: 4 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), fc.integer({ min: 0, max: 50 }), (steps, bound) => {
      const set = createScoredSet<number>();
      const model = new Map<number, number>();
      for (const { member, score } of steps) {
        if (score === null) {
          removeMember(set, member);
          model.delete(member);
        } else {
          setScore(set, member, score);
          model.set(member, score);
        }
      }
      const sorted = [...model].toSorted((a, b) => a[1] - b[1] || a[0] - b[0]);
      expect(set.order.map((entry) => [entry.member, entry.score])).toEqual(sorted);
      expect(countBelow(set, bound)).toBe(sorted.filter(([, score]) => score < bound).length);
      const upTo = sorted.filter(([, score]) => score >= 5 && score <= bound).map(([member]) => member);
      expect(membersBetween(set, 5, bound, 3)).toEqual(upTo.slice(0, 3));
    }),
  );
});
