import { describe, expect, it } from "vitest";
import { publishedMs, quicknet, roundAfter, roundOfDraw } from "../../../../src/room/draw-recipe/beacon-chain.ts";

const genesisMs = quicknet.genesisSec * 1_000;

describe("the rounds of a chain", () => {
  it.each([
    [genesisMs - 1, 1],
    [genesisMs, 1],
    [genesisMs + 1, 2],
    [genesisMs + 2_999, 2],
    [genesisMs + 3_000, 2],
    [genesisMs + 2_997_000, 1_000],
    [0, 1],
  ])("at %i ms: %i is the next", (ms, next) => {
    expect(roundAfter(quicknet, ms)).toBe(next);
  });

  it("are published at the times that drand tells", () => {
    expect(new Date(publishedMs(quicknet, 1)).toISOString()).toBe("2023-08-23T15:09:27.000Z");
    expect(publishedMs(quicknet, 1_000)).toBe(genesisMs + 2_997_000);
  });

  it("are chosen for a draw so that none is known within a second of the last entry", () => {
    const dueMs = publishedMs(quicknet, 1_000);
    expect([dueMs - 9_000, dueMs - 8_999, dueMs - 6_000, dueMs - 5_999].map((ms) => roundOfDraw(quicknet, ms))).toEqual(
      [999, 1_000, 1_000, 1_001],
    );
  });
});
