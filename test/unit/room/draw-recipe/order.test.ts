import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { beaconTextOf, commitmentOf, keyOf, receiptSeedOf, seedOf } from "../../../../src/room/draw-recipe/keys.ts";
import {
  createEntryNumbers,
  createOrder,
  type DrawRecord,
  type NumberRange,
} from "../../../../src/room/draw-recipe/order.ts";
import { testKey } from "./keys.ts";
import { referenceCommitment, referencePositions, referenceSeed } from "./reference.ts";

const seed = Buffer.from(testKey("seed")).toString("hex");
const name = { room: "autumn-tour", edition: 3, id: 2 };
const quicknetRound = { chain: "ab".repeat(32), round: 4_711, randomness: "cd".repeat(32) };

/** Records with gaps anywhere: at the ends, side by side, all over. */
const records = fc
  .tuple(
    fc.integer({ min: 1, max: 50 }),
    fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 12 })), { maxLength: 14 }),
  )
  .map(([first, runs]) => {
    const gaps: NumberRange[] = [];
    let next = first;
    for (const [isGap, length] of runs) {
      if (isGap) gaps.push([next, next + length - 1]);
      next += length;
    }
    return { first, last: next - 1, gaps };
  });

describe("an order", () => {
  it("is the one of the recipe, written a second time from its words, with and without gaps and a beacon", () => {
    fc.assert(
      fc.property(records, fc.constantFrom(null, "fallback" as const, quicknetRound), (numbers, beacon) => {
        const record: DrawRecord = { ...name, ...numbers, seed, beacon };
        const { positionOf } = createOrder(record);
        const expected = referencePositions({ ...record, beacon: beaconTextOf(beacon) });
        expect(new Map([...expected.keys()].map((number) => [number, positionOf(number)]))).toEqual(expected);
      }),
      { numRuns: 300, seed: 1 },
    );
  });

  it("maps the numbers of the draw onto themselves, the entries to the front", () => {
    fc.assert(
      fc.property(records, (numbers) => {
        const { first, last, gaps } = numbers;
        const { entries, positionOf } = createOrder({ ...name, ...numbers, seed, beacon: null });
        const all = Array.from({ length: last - first + 1 }, (_, index) => first + index);
        const isGap = (number: number) => gaps.some(([from, to]) => from <= number && number <= to);
        expect(all.map(positionOf).sort((a, b) => a - b)).toEqual(all);
        expect(all.filter((number) => positionOf(number) < first + entries)).toEqual(
          all.filter((number) => !isGap(number)),
        );
      }),
      { numRuns: 300, seed: 2 },
    );
  });

  it("leaves numbers of no draw where they are", () => {
    const { positionOf } = createOrder({ ...name, first: 11, last: 20, gaps: [], seed, beacon: null });
    expect([1, 10, 21, 1_000_000].map(positionOf)).toEqual([1, 10, 21, 1_000_000]);
  });

  it("has no entries where nobody came, or where nobody holds any of the numbers", () => {
    const empty = createOrder({ ...name, first: 5, last: 4, gaps: [], seed, beacon: null });
    expect(empty.entries).toBe(0);
    expect(empty.positionOf(5)).toBe(5);
    const unheld = createOrder({ ...name, first: 5, last: 7, gaps: [[5, 7]], seed, beacon: null });
    expect([unheld.entries, ...[5, 6, 7].map(unheld.positionOf)]).toEqual([0, 5, 6, 7]);
  });

  it.each([
    { change: { room: "other" } },
    { change: { edition: 4 } },
    { change: { id: 1 } },
    { change: { seed: seed.replace(/^./, (digit) => (digit === "0" ? "1" : "0")) } },
    { change: { last: 201 } },
    { change: { beacon: "fallback" as const } },
    { change: { beacon: quicknetRound } },
  ])("is another one after a change: $change", ({ change }) => {
    const record: DrawRecord = { ...name, first: 1, last: 200, gaps: [], seed, beacon: null };
    const numbers = Array.from({ length: 200 }, (_, index) => index + 1);
    expect(numbers.map(createOrder({ ...record, ...change }).positionOf)).not.toEqual(
      numbers.map(createOrder(record).positionOf),
    );
  });
});

describe("the numbers of a prequeue", () => {
  it.each([
    { numbers: { first: 0, last: 3, gaps: [] }, fault: "the first number is 0, and numbers begin with 1" },
    { numbers: { first: 5, last: 3, gaps: [] }, fault: "the last number, 3, is before the first, 5" },
    {
      numbers: { first: 5, last: 9, gaps: [[4, 5]] },
      fault: "the gap 4…5 is out of order or before the first number, 5",
    },
    { numbers: { first: 5, last: 9, gaps: [[8, 10]] }, fault: "the gap 8…10 is beyond the last number, 9" },
    { numbers: { first: 5, last: 9, gaps: [[7, 6]] }, fault: "the gap 7…6 is none" },
    { numbers: { first: 5, last: 9, gaps: [[5.5, 6]] }, fault: "the gap 5.5…6 is none" },
    {
      numbers: {
        first: 1,
        last: 9,
        gaps: [
          [2, 4],
          [4, 5],
        ],
      },
      fault: "the gap 4…5 is out of order or before the first number, 1",
    },
  ] as const)("cannot be $numbers", ({ numbers, fault }) => {
    expect(() => createEntryNumbers(numbers)).toThrow(fault);
  });
});

describe("seed, commitment and key", () => {
  it("are those of the recipe", () => {
    const secret = testKey("secret");
    expect(seedOf(secret, name)).toBe(referenceSeed(secret, name.room, name.edition, name.id));
    expect(commitmentOf(name, seed)).toBe(referenceCommitment(name.room, name.edition, name.id, seed));
  });

  it("are the same for ever: they stand in public records", () => {
    const secret = Buffer.from("a draw key of thirty-two bytes!!");
    const drawn = seedOf(secret, name);
    expect({
      seed: drawn,
      commitment: commitmentOf(name, drawn),
      key: Buffer.from(keyOf({ ...name, seed: drawn, entries: 12, beacon: quicknetRound })).toString("hex"),
      receiptSeed: Buffer.from(receiptSeedOf(secret)).toString("hex"),
    }).toMatchInlineSnapshot(`
      {
        "commitment": "f5dd65846d59fa1806f53a744ed1a804b358b225ce6451686937ab532857c25e",
        "key": "5df5572a2aae698843996fd4342f361ebd9365f487def0df722e0e0f75ec221a",
        "receiptSeed": "eed89575aa4a7fa94d7c2171700a335e0930729fb58faa94ef2974d1d148db20",
        "seed": "8b09c0432ac1358fac9e569cdfafba2e46cb71a6bef1df9344da5f624fceaf6c",
      }
    `);
  });

  it("say the beacon as it is hashed", () => {
    expect([null, "fallback" as const, quicknetRound].map(beaconTextOf)).toEqual([
      "none",
      "fallback",
      `drand ${"ab".repeat(32)} 4711 ${"cd".repeat(32)}`,
    ]);
  });
});
