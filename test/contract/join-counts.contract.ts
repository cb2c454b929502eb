/** What every store must do with the joins that processes count together. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CountedBlock, JoinCountStore } from "../../src/store/contract/room-store.ts";
import type { HarnessFactory, StoreHarness } from "./harness.ts";

const entryMs = 1e10;
const entries = (name: string, most = 3): CountedBlock => ({ name, tokenMs: entryMs, mostMs: most * entryMs });
const rate = (name: string, most = 10): CountedBlock => ({ name, tokenMs: 100, mostMs: most * 100 });

export function describeJoinCounts(name: string, createHarness: HarnessFactory): void {
  describe(`${name} as a store of joins by address`, () => {
    let harness: StoreHarness;
    let one: JoinCountStore;
    let other: JoinCountStore;

    beforeAll(async () => {
      harness = await createHarness();
      one = harness.store.joinCounts;
      other = (await harness.second()).joinCounts;
    });
    beforeEach(() => harness.wipe());
    afterAll(() => harness?.close());

    const given = async (store: JoinCountStore, edition: number, count: number, blocks: readonly CountedBlock[]) =>
      (await store.takeEntries("tickets", edition, [{ count, blocks }]))[0]?.granted;

    it("gives no more entries than each of the blocks has, whoever asks, and as many as are left", async () => {
      const home = [entries("site", 5), entries("home", 3)];
      expect(await one.takeEntries("tickets", 1, [{ count: 2, blocks: home }])).toEqual([
        { granted: 2, levelsMs: [2 * entryMs, 2 * entryMs] },
      ]);
      const [mine, next] = await other.takeEntries("tickets", 1, [
        { count: 5, blocks: home },
        { count: 5, blocks: [entries("site", 5), entries("neighbour", 3)] },
      ]);
      expect([mine, next]).toEqual([
        { granted: 1, levelsMs: [3 * entryMs, 3 * entryMs] },
        { granted: 2, levelsMs: [5 * entryMs, 2 * entryMs] },
      ]);
      expect(await given(one, 1, 1, home)).toBe(0);
      expect(await one.takeEntries("checkout", 1, [{ count: 1, blocks: home }])).toMatchObject([{ granted: 1 }]);
    });

    it("gives many at once what there is, once", async () => {
      const all = await Promise.all(
        Array.from({ length: 40 }, (_, at) => given(at % 2 ? one : other, 1, 1, [entries("a", 10)])),
      );
      expect(all.filter((each) => each === 1)).toHaveLength(10);
    });

    it("takes entries back, forgets those of an earlier edition, and gives none back by hours", async () => {
      expect(await given(one, 1, 3, [entries("a")])).toBe(3);
      await harness.advance(6 * 3_600_000);
      expect(await given(one, 1, 1, [entries("a")])).toBe(0);
      expect(await given(other, 1, -2, [entries("a")])).toBe(-2);
      expect(await given(one, 1, 5, [entries("a")])).toBe(2);
      expect(await given(one, 2, 5, [entries("a")])).toBe(3);
      // A process that is behind counts with the others.
      expect(await given(other, 1, 1, [entries("a")])).toBe(0);
      expect(await given(other, 1, -9, [entries("a")])).toBe(-9);
      expect(await given(one, 2, 5, [entries("a")])).toBe(3);
    });

    it("notes all joins of a rate, fills by time, and no bucket owes more than its size", async () => {
      const note = async (count: number, agoMs?: number) => {
        const joins = { count, blocks: [rate("a")], ...(agoMs !== undefined && { agoMs }) };
        return (await one.recordJoins("tickets", [joins]))[0];
      };
      expect(await note(4)).toEqual({ granted: 4, levelsMs: [400] });
      await harness.advance(300);
      expect(await note(1)).toEqual({ granted: 1, levelsMs: [200] });
      await harness.advance(1_000);
      // Half a second ago: most of it is filled again.
      expect(await note(6, 500)).toEqual({ granted: 6, levelsMs: [100] });
      await harness.advance(1_000);
      expect(await note(6, 3_600_000)).toEqual({ granted: 6, levelsMs: [0] });
      expect(await note(1_000)).toEqual({ granted: 1_000, levelsMs: [2_000] });
      expect(await other.recordJoins("tickets", [{ count: 1, blocks: [rate("a")] }])).toEqual([
        { granted: 1, levelsMs: [2_000] },
      ]);
      expect(await given(one, 1, 1, [entries("a")])).toBe(1);
    });

    it("takes many in one call, and is freed with the room", async () => {
      const many = Array.from({ length: 500 }, (_, at) => ({ count: 1, blocks: [rate(`b${at}`), rate("all", 1_000)] }));
      const answers = await one.recordJoins("tickets", many);
      expect(answers).toHaveLength(500);
      expect(answers.at(-1)).toEqual({ granted: 1, levelsMs: [100, 50_000] });
      expect(await one.recordJoins("tickets", [])).toEqual([]);
      expect(await given(one, 7, 3, [entries("a")])).toBe(3);
      await harness.store.rooms.forget("tickets");
      expect(await given(one, 1, 3, [entries("a")])).toBe(3);
      expect(await one.recordJoins("tickets", [{ count: 1, blocks: [rate("all", 1_000)] }])).toEqual([
        { granted: 1, levelsMs: [100] },
      ]);
    });
  });
}
