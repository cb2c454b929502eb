/**
 * Goal: shared documents are the same in memory and in Redis, no change is carried out twice, and processes that offer
 * what they know come to agree. Method: a random walk of three processes, clock steps and losses, run against both.
 * PARITY_RUNS and PARITY_SEED as in parity.contract.ts.
 */
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { SharedDocument } from "../../src/store/contract/room-store.ts";
import type { StoreHarness } from "./harness.ts";
import { createMemoryHarness } from "./memory-harness.ts";
import { createDatabaseHarness } from "./redis-harness.ts";

const seed = process.env.PARITY_SEED === undefined ? {} : { seed: Number(process.env.PARITY_SEED) };

const anyProcess = fc.nat(2);
const move = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant("exchange" as const), by: anyProcess, forgets: fc.boolean() }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("replace" as const),
      by: anyProcess,
      off: fc.constantFrom(0, 0, 0, -1, 1),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("advance" as const),
      ms: fc.constantFrom(1, 500, 2_499, 2_500, 60_000, -700, -3_600_000),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("wipe" as const) }) },
);
type Move = typeof move extends fc.Arbitrary<infer T> ? T : never;

/** Three processes that remember, each, the document that they saw last. */
function createWorld(harness: StoreHarness) {
  const { documents } = harness.store;
  const known: (SharedDocument | null)[] = [null, null, null];

  async function exchange(by: number, own = known[by] ?? null) {
    const answer = await documents.exchange("a", own);
    if (answer !== "unchanged" && answer !== null) known[by] = answer;
    return answer;
  }

  async function replace(by: number, off: number, text: string) {
    const expected = Math.max(0, (known[by]?.version ?? 0) + off);
    const inForce = await documents.exchange("a", null);
    const answer = await documents.replace("a", text, expected);
    if (answer.result === "ok") {
      expect(expected).toBe(inForce === null ? 0 : (inForce as SharedDocument).version);
      expect(answer.version).toBe(expected + 1);
      known[by] = { version: answer.version, text };
    }
    return answer;
  }

  return {
    known,
    exchange,
    async run(move: Move, index: number) {
      if (move.kind === "exchange") return exchange(move.by, move.forgets ? null : undefined);
      if (move.kind === "replace") return replace(move.by, move.off, `text ${index}`);
      if (move.kind === "advance") return harness.advance(move.ms);
      return harness.wipe();
    },
  };
}

/** @param walks how many, unless PARITY_RUNS says it */
export function describeDocumentsParity(walks: number): void {
  const numRuns = Number(process.env.PARITY_RUNS ?? walks);
  let harnesses: StoreHarness[] = [];

  beforeAll(async () => {
    harnesses = [await createMemoryHarness({ isShared: true }), await createDatabaseHarness()];
  });
  afterAll(() => Promise.all(harnesses.map((harness) => harness.close())));

  it("answers alike in memory and in Redis, and brings all processes together", { timeout: 120_000 }, async () => {
    const walk = async (moves: Move[]) => {
      for (const harness of harnesses) await harness.wipe();
      const worlds = harnesses.map(createWorld);
      for (const [index, move] of moves.entries()) {
        const answers: unknown[] = [];
        for (const world of worlds) answers.push(await world.run(move, index));
        expect(answers[1], `step ${index}: ${JSON.stringify(move)}`).toEqual(answers[0]);
      }
      for (const { known, exchange } of worlds) {
        const newest = Math.max(...known.map((document) => document?.version ?? 0));
        for (let round = 0; round < 2; round++) for (const by of known.keys()) await exchange(by);
        expect(known).toEqual([known[0], known[0], known[0]]);
        expect(known[0]?.version ?? 0).toBeGreaterThanOrEqual(newest);
      }
    };
    await fc.assert(fc.asyncProperty(fc.array(move, { minLength: 3, maxLength: 30 }), walk), { numRuns, ...seed });
  });
}
