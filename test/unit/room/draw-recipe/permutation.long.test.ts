// Long: goes through every size up to 4,096.
import { describe, expect, it } from "vitest";
import { countHits } from "./count-hits.ts";
import { testKey } from "./keys.ts";

describe("a permutation", () => {
  it.each([
    [0, 2_000],
    [2_001, 3_000],
    [3_001, 3_600],
    [3_601, 4_096],
  ])("maps the numbers onto themselves, for every size from %i to %i", (from, to) => {
    const wrong: number[] = [];
    for (let size = from; size <= to; size++) if (countHits(testKey(size), size) !== size) wrong.push(size);
    expect(wrong).toEqual([]);
  });

  it.each([999_983, 1_000_000, 1_048_577])("maps all of %i numbers onto themselves", (size) => {
    expect(countHits(testKey(size), size)).toBe(size);
  });
});
