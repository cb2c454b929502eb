import fc from "fast-check";
import { expect, test } from "vitest";
import { mergeLapses } from "../../../../src/core/recovery/merge.ts";
import type { Lapse } from "../../../../src/store/contract/room-state.ts";

const lapses = fc.array(fc.record({ untilMs: fc.nat(20), count: fc.nat(5) }), { maxLength: 9 });
const liveAt = (list: readonly Lapse[], atMs: number) =>
  list.reduce((sum, { untilMs, count }) => (untilMs > atMs ? sum + count : sum), 0);

test("of two memories, at each time as many are live as in that which has more, told in ascending order and once for each time", () => {
  fc.assert(
    fc.property(lapses, lapses, (a, b) => {
      const merged = mergeLapses(a, b);
      for (let atMs = -1; atMs <= 20; atMs++) {
        expect(liveAt(merged, atMs)).toBe(Math.max(liveAt(a, atMs), liveAt(b, atMs)));
      }
      const times = merged.map(({ untilMs }) => untilMs);
      expect(times).toEqual([...new Set(times)].toSorted((x, y) => x - y));
    }),
  );
});
