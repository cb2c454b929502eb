import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { testKey } from "./keys.ts";

const hashes = { count: 0 };
let createPermutation: typeof import("../../../../src/room/draw-recipe/permutation.ts").createPermutation;

// The module is loaded anew, over a hash that counts: other tests of the same process have it already.
beforeAll(async () => {
  vi.resetModules();
  vi.doMock("@noble/hashes/sha2.js", async (importOriginal) => {
    const original = await importOriginal<typeof import("@noble/hashes/sha2.js")>();
    const sha256 = (input: Uint8Array) => {
      hashes.count += 1;
      return original.sha256(input);
    };
    return { ...original, sha256 };
  });
  ({ createPermutation } = await import("../../../../src/room/draw-recipe/permutation.ts"));
});

afterAll(() => {
  vi.doUnmock("@noble/hashes/sha2.js");
  vi.resetModules();
});

afterEach(() => {
  hashes.count = 0;
  vi.unstubAllGlobals();
});

describe("a permutation", () => {
  it.each([
    [2, 3],
    [100, 15],
    [1_000_000, 1_500],
    [10_000_000, 4_744],
  ])("of %i numbers takes %i hashes, however many are asked for", (size, expected) => {
    const permutation = createPermutation(testKey(size), size);
    expect(hashes.count).toBe(expected);
    for (let index = 0; index < size; index += Math.ceil(size / 1_000)) permutation(index);
    expect(hashes.count).toBe(expected);
  });

  it.each([2, 3, 100, 4_095, 1_000_000, 10_000_000])("of %i numbers keeps 24 bytes for the root of it", (size) => {
    let bytes = 0;
    class CountedArray extends Uint16Array {
      constructor(length: number) {
        super(length);
        bytes += this.byteLength;
      }
    }
    vi.stubGlobal("Uint16Array", CountedArray);
    const permutation = createPermutation(testKey(size), size);
    for (let index = 0; index < Math.min(size, 1_000); index++) permutation(index);
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThanOrEqual(24 * Math.ceil(Math.sqrt(size)));
  });
});
