/** What every store must do with the rows of the audit. Each store runs all of it from one tiny file. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { AuditRow, AuditStore } from "../../src/store/contract/room-store.ts";
import type { HarnessFactory, StoreHarness } from "./harness.ts";

const headOf = ({ seq, hash }: AuditRow) => ({ seq, hash });

/** Rows with these numbers, as a process would chain them. */
function rowsOf(...seqs: number[]): AuditRow[] {
  return seqs.map((seq) => ({
    seq,
    hash: `hash of ${seq}`,
    text: JSON.stringify({ seq, said: 'ž "quoted"\u0000 🐎' }),
    before: { seq: seq - 1, hash: `hash of ${seq - 1}` },
  }));
}

export function describeAuditStore(name: string, createHarness: HarnessFactory): void {
  describe(`${name} as a store of the audit`, () => {
    let harness: StoreHarness;
    let one: AuditStore;
    let other: AuditStore;

    beforeAll(async () => {
      harness = await createHarness();
      one = harness.store.audit;
      other = (await harness.second()).audit;
    });
    beforeEach(() => harness.wipe());
    afterAll(() => harness?.close());

    const all = (from = 0, to = 1_000_000, limit = 1_000, isNewestFirst = false) =>
      other.read({ from, to, limit, isNewestFirst });

    it("has no head before the first row, and gives rows back as they are, either way round, in parts", async () => {
      expect(await one.head()).toBeNull();
      const rows = rowsOf(1, 2, 3, 17);
      expect(await one.append(rows, null, 100)).toBe(true);
      expect(await other.head()).toEqual({ seq: 17, hash: "hash of 17" });
      expect(await all()).toEqual(rows);
      expect(await all(0, 1_000_000, 2, true)).toEqual([rows[3], rows[2]]);
      expect(await all(2, 3)).toEqual([rows[1], rows[2]]);
      expect(await all(4, 16)).toEqual([]);
    });

    it("takes rows behind the very head that the caller saw, and nothing of any others", async () => {
      const [first, second, third] = rowsOf(1, 2, 3) as [AuditRow, AuditRow, AuditRow];
      await one.append([first], null, 100);
      expect(await other.append([second], null, 100)).toBe(false);
      expect(await other.append([second], { seq: 1, hash: "another" }, 100)).toBe(false);
      expect(await other.append([third], headOf(second), 100)).toBe(false);
      expect(await other.append([second], headOf(first), 100)).toBe(true);
      expect(await all()).toEqual([first, second]);
    });

    it("takes those of one of fifty at the same instant", async () => {
      const calls = Array.from({ length: 50 }, (_, i) => (i % 2 ? one : other).append(rowsOf(1, 2), null, 100));
      expect((await Promise.all(calls)).filter(Boolean)).toHaveLength(1);
      expect(await all()).toEqual(rowsOf(1, 2));
    });

    it("lets the oldest go where there are more than may be", async () => {
      let head: ReturnType<typeof headOf> | null = null;
      for (let seq = 1; seq <= 9; seq += 2) {
        const rows = rowsOf(seq, seq + 1);
        expect(await one.append(rows, head, 5)).toBe(true);
        head = headOf(rows[1] as AuditRow);
      }
      expect(await all()).toEqual(rowsOf(6, 7, 8, 9, 10));
    });
  });
}
