// Long: draws tens of thousands of times.
import { describe, expect, it } from "vitest";
import { createPermutation } from "../../../../src/room/draw-recipe/permutation.ts";
import { deviationOf } from "./chi-square.ts";
import { testKey } from "./keys.ts";

/** Standard deviations. The keys are fixed, and so is the outcome. */
const deviationMax = 4;

describe("who stands where", () => {
  it.each([
    [2, 20_000],
    [3, 20_000],
    [5, 20_000],
    [7, 10_000],
    [30, 6_000],
    [100, 3_000],
  ])("is left to the key alone, among %i entrants: each gets each place equally often", (size, keys) => {
    const counts = Array.from({ length: size * size }, () => 0);
    for (let n = 0; n < keys; n++) {
      const permutation = createPermutation(testKey(`${size} ${n}`), size);
      for (let index = 0; index < size; index++) {
        const cell = index * size + permutation(index);
        counts[cell] = (counts[cell] ?? 0) + 1;
      }
    }
    expect(Math.abs(deviationOf(counts, keys / size, (size - 1) ** 2))).toBeLessThan(deviationMax);
  });

  it.each([
    [2, 20_000],
    [3, 20_000],
    [4, 20_000],
  ])("comes in all orders equally often, among %i entrants", (size, keys) => {
    const counts = new Map<string, number>();
    for (let n = 0; n < keys; n++) {
      const permutation = createPermutation(testKey(`order ${size} ${n}`), size);
      const order = Array.from({ length: size }, (_, index) => permutation(index)).join();
      counts.set(order, (counts.get(order) ?? 0) + 1);
    }
    const orders = [1, 2, 6, 24][size - 1] ?? 0;
    expect(counts.size).toBe(orders);
    expect(Math.abs(deviationOf([...counts.values()], keys / orders, orders - 1))).toBeLessThan(deviationMax);
  });

  it.each([100, 1_000, 10_007])("does not depend on who came first or last, among %i entrants", (size) => {
    const keys = 400;
    const tenth = Math.floor(size / 10);
    const firstCame = { sum: 0, deciles: Array.from({ length: 10 }, () => 0) };
    const lastCame = { sum: 0, deciles: Array.from({ length: 10 }, () => 0) };
    const asked = Math.min(tenth, 50);
    for (let n = 0; n < keys; n++) {
      const permutation = createPermutation(testKey(`tenths ${size} ${n}`), size);
      for (let k = 0; k < asked; k++) {
        const index = Math.floor((k * tenth) / asked);
        note(firstCame, permutation(index), size);
        note(lastCame, permutation(size - 1 - index), size);
      }
    }
    const samples = keys * asked;
    const standardError = size / Math.sqrt(12 * samples);
    for (const { sum, deciles } of [firstCame, lastCame]) {
      expect(Math.abs(sum / samples - (size - 1) / 2)).toBeLessThan(deviationMax * standardError);
      expect(Math.abs(deviationOf(deciles, samples / 10, 9))).toBeLessThan(deviationMax);
    }
  });

  it("tells nothing of the neighbour: who came one after the other stand as far apart as any two", () => {
    const size = 1_000;
    const keys = 4_000;
    const distances = Array.from({ length: 10 }, () => 0);
    for (let n = 0; n < keys; n++) {
      const permutation = createPermutation(testKey(`neighbours ${n}`), size);
      // The distance around a circle is as good as uniform; 0 does not occur.
      const distance = (permutation(501) - permutation(500) + size) % size;
      const decile = Math.floor(((distance - 1) * 10) / (size - 1));
      distances[decile] = (distances[decile] ?? 0) + 1;
    }
    expect(Math.abs(deviationOf(distances, keys / 10, 9))).toBeLessThan(deviationMax);
  });
});

function note(tally: { sum: number; deciles: number[] }, place: number, size: number): void {
  tally.sum += place;
  const decile = Math.floor((place * 10) / size);
  tally.deciles[decile] = (tally.deciles[decile] ?? 0) + 1;
}
