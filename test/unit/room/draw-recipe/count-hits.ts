import { createPermutation } from "../../../../src/room/draw-recipe/permutation.ts";

/** How many of 0 … size - 1 the permutation hits, each counted once. */
export function countHits(key: Uint8Array, size: number): number {
  const permutation = createPermutation(key, size);
  const seen = new Uint8Array(size);
  let hits = 0;
  for (let index = 0; index < size; index++) {
    const at = permutation(index);
    if (seen[at] === 0) hits += 1;
    seen[at] = 1;
  }
  return hits;
}
