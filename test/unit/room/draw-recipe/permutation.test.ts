import { describe, expect, it } from "vitest";
import { createPermutation, sidesOf, sizeMax } from "../../../../src/room/draw-recipe/permutation.ts";
import { countHits } from "./count-hits.ts";
import { testKey } from "./keys.ts";
import { referencePermutation } from "./reference.ts";

describe("a permutation", () => {
  it("maps the numbers onto themselves, for every size up to 1,000 and some others", () => {
    const wrong: number[] = [];
    for (let size = 0; size <= 1_000; size++) if (countHits(testKey(size), size) !== size) wrong.push(size);
    for (const size of [2_047, 4_096, 99_991]) if (countHits(testKey(size), size) !== size) wrong.push(size);
    expect(wrong).toEqual([]);
  });

  it("keeps a sample of large sizes apart and in range", () => {
    for (let trial = 0; trial < 15; trial++) {
      const word = new DataView(testKey(`size ${trial}`).buffer.slice(0)).getUint32(0);
      const size = 4_097 + (word % 10_000_000);
      const permutation = createPermutation(testKey(trial), size);
      const step = Math.max(1, Math.floor(size / 2_000));
      const places = new Set<number>();
      let asked = 0;
      for (let index = 0; index < size; index += step) {
        const at = permutation(index);
        if (Number.isInteger(at) && at >= 0 && at < size) places.add(at);
        asked += 1;
      }
      expect(places.size).toBe(asked);
    }
  });

  it("is the one of the recipe, written a second time from its words", () => {
    const sizes = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 16, 17, 99, 100, 101, 255, 256, 257, 1_000, 4_095, 12_345];
    for (const size of sizes) {
      for (let n = 0; n < (size < 300 ? 12 : 2); n++) {
        const key = testKey(`${n} of ${size}`);
        const permutation = createPermutation(key, size);
        const reference = referencePermutation(key, size);
        const indices = Array.from({ length: size }, (_, index) => index);
        expect(indices.map(permutation)).toEqual(indices.map(reference));
      }
    }
  });

  it("agrees with the recipe on samples of a million and of ten million", () => {
    for (const size of [1_000_000, 9_999_991]) {
      const key = testKey(size);
      const permutation = createPermutation(key, size);
      const reference = referencePermutation(key, size);
      for (let index = 0; index < size; index += 99_991) expect(permutation(index)).toBe(reference(index));
    }
  });

  it("works up to the largest size, whose numbers no longer fit into 32 signed bits", () => {
    const permutation = createPermutation(testKey("largest"), sizeMax);
    const reference = referencePermutation(testKey("largest"), sizeMax);
    for (const index of [0, 1, 2 ** 31, 2 ** 32 - 1]) expect(permutation(index)).toBe(reference(index));
  });

  it("refuses sizes and indices that are none", () => {
    for (const size of [-1, 1.5, Number.NaN, sizeMax + 1]) {
      expect(() => createPermutation(testKey(0), size)).toThrow(RangeError);
    }
    for (const [size, index] of [
      [0, 0],
      [1, 1],
      [10, 10],
      [10, -1],
      [10, 0.5],
    ] as const) {
      expect(() => createPermutation(testKey(0), size)(index)).toThrow(RangeError);
    }
  });

  it("has sides that hold the numbers with less than a row to spare, so that walks are short", () => {
    const wrong: number[] = [];
    for (let size = 2; size < 20_000; size++) {
      const { a, b } = sidesOf(size);
      if (a * b < size || a * b - size >= a || b > a) wrong.push(size);
    }
    expect(wrong).toEqual([]);
  });
});
