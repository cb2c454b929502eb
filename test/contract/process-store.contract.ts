/** What every store must do with what processes tell of themselves. Each store runs all of it from one tiny file. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ProcessStore } from "../../src/store/contract/shared.ts";
import type { HarnessFactory, StoreHarness } from "./harness.ts";

export function describeProcessStore(name: string, createHarness: HarnessFactory): void {
  describe(`${name} as a store of what processes say of themselves`, () => {
    let harness: StoreHarness;
    let one: ProcessStore;
    let other: ProcessStore;

    beforeAll(async () => {
      harness = await createHarness();
      one = harness.store.processes;
      other = (await harness.second()).processes;
    });
    beforeEach(() => harness.wipe());
    afterAll(() => harness?.close());

    it("tells each process what all have said last and when, the latest first", async () => {
      const beganMs = harness.nowMs();
      expect((await one.report("a", "first")).processes).toEqual([{ id: "a", reportedMs: beganMs, text: "first" }]);
      await harness.advance(3_000);
      await other.report("b", 'said "ž"\n and more 🐎');
      await harness.advance(1_000);
      const told = await one.report("a", "second");
      expect(told.nowMs).toBe(beganMs + 4_000);
      expect(told.processes).toEqual([
        { id: "a", reportedMs: beganMs + 4_000, text: "second" },
        { id: "b", reportedMs: beganMs + 3_000, text: 'said "ž"\n and more 🐎' },
      ]);
    });

    it("goes on showing one that says nothing more, and forgets it after ten minutes", async () => {
      await one.report("killed", "was here");
      await harness.advance(600_000);
      const ids = async () => (await other.report("b", "is here")).processes.map(({ id }) => id);
      expect(await ids()).toEqual(["b", "killed"]);
      await harness.advance(1);
      expect(await ids()).toEqual(["b"]);
    });

    it("forgets at once one that ends by itself", async () => {
      await one.report("a", "is here");
      await other.report("b", "is here");
      await one.remove("a");
      expect((await other.report("b", "is here")).processes.map(({ id }) => id)).toEqual(["b"]);
    });

    it("keeps the 64 that reported last", async () => {
      for (let number = 0; number < 70; number++) {
        await one.report(`process ${number}`, "x");
        await harness.advance(1);
      }
      const { processes } = await other.report("last", "x");
      expect(processes).toHaveLength(64);
      expect(processes.at(-1)?.id).toBe("process 7");
    });

    it("drops rows from a time that is far ahead: the clock was set back", async () => {
      await harness.advance(3_600_000);
      await one.report("ahead", "x");
      await harness.advance(-3_600_000);
      expect((await other.report("b", "x")).processes.map(({ id }) => id)).toEqual(["b"]);
    });
  });
}
