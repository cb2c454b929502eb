/** What every store must do with what processes say of their watchers. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { WatcherStore } from "../../src/store/contract/room-store.ts";
import type { HarnessFactory, StoreHarness } from "./harness.ts";

const leaseMs = 10_000;

export function describeWatcherStore(name: string, createHarness: HarnessFactory): void {
  describe(`${name} as a store of watchers`, () => {
    let harness: StoreHarness;
    let one: WatcherStore;
    let other: WatcherStore;

    beforeAll(async () => {
      harness = await createHarness();
      one = harness.store.watchers;
      other = (await harness.second()).watchers;
    });
    beforeEach(() => harness.wipe());
    afterAll(() => harness?.close());

    it("tells each process what the others say now, and not what it says itself", async () => {
      expect(await one.exchange("a", "first: ž\n:2", leaseMs)).toEqual([]);
      expect(await other.exchange("b", "of b", leaseMs)).toEqual(["first: ž\n:2"]);
      expect(await one.exchange("a", "second", leaseMs)).toEqual(["of b"]);
      expect((await other.exchange("c", "", leaseMs)).sort()).toEqual(["of b", "second"]);
      expect(await one.exchange("a", "", leaseMs)).toEqual(["of b"]);
      expect(await other.exchange("b", "of b", leaseMs)).toEqual([]);
    });

    it("forgets a process with its lease, and keeps one that goes on", async () => {
      await one.exchange("killed", "gone", leaseMs);
      await one.exchange("a", "here", leaseMs);
      await harness.advance(leaseMs - 1);
      await one.exchange("a", "here", leaseMs);
      expect((await other.exchange("b", "", leaseMs)).sort()).toEqual(["gone", "here"]);
      await harness.advance(1);
      expect(await other.exchange("b", "", leaseMs)).toEqual(["here"]);
    });

    it("keeps the latest of more than there may be", async () => {
      for (let n = 0; n < 70; n++) {
        await one.exchange(`p${n}`, `of ${n}`, leaseMs);
        await harness.advance(1);
      }
      const kept = await other.exchange("b", "", leaseMs);
      expect(kept).toHaveLength(64);
      expect(kept).not.toContain("of 5");
      expect(kept).toContain("of 6");
    });

    it("forgets what a clock that was set back would keep for long", async () => {
      await harness.advance(3_600_000);
      await one.exchange("a", "of the future", leaseMs);
      await harness.advance(-3_600_000);
      expect(await other.exchange("b", "", leaseMs)).toEqual([]);
    });
  });
}
