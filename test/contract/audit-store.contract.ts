/** What every store must do with the rows of the audit. Each store runs all of it from one tiny file. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { AuditRow, AuditStore } from "../../src/store/contract/room-store.ts";
import type { HarnessFactory, StoreHarness } from "./harness.ts";

const roomy = { rowsMax: 100, bytesMax: 1_000_000 };
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
      expect(await one.append(rows, null, roomy)).toBe(true);
      expect(await other.head()).toEqual({ seq: 17, hash: "hash of 17" });
      expect(await all()).toEqual(rows);
      expect(await all(0, 1_000_000, 2, true)).toEqual([rows[3], rows[2]]);
      expect(await all(2, 3)).toEqual([rows[1], rows[2]]);
      expect(await all(4, 16)).toEqual([]);
    });

    it("takes rows behind the very head that the caller saw, and nothing of any others", async () => {
      const [first, second, third] = rowsOf(1, 2, 3) as [AuditRow, AuditRow, AuditRow];
      await one.append([first], null, roomy);
      expect(await other.append([second], null, roomy)).toBe(false);
      expect(await other.append([second], { seq: 1, hash: "another" }, roomy)).toBe(false);
      expect(await other.append([third], headOf(second), roomy)).toBe(false);
      expect(await other.append([second], headOf(first), roomy)).toBe(true);
      expect(await all()).toEqual([first, second]);
    });

    it("takes those of one of fifty at the same instant", async () => {
      const calls = Array.from({ length: 50 }, (_, i) => (i % 2 ? one : other).append(rowsOf(1, 2), null, roomy));
      expect((await Promise.all(calls)).filter(Boolean)).toHaveLength(1);
      expect(await all()).toEqual(rowsOf(1, 2));
    });

    it("lets the oldest go where there are more than may be", async () => {
      let head: ReturnType<typeof headOf> | null = null;
      for (let seq = 1; seq <= 9; seq += 2) {
        const rows = rowsOf(seq, seq + 1);
        expect(await one.append(rows, head, { ...roomy, rowsMax: 5 })).toBe(true);
        head = headOf(rows[1] as AuditRow);
      }
      expect(await all()).toEqual(rowsOf(6, 7, 8, 9, 10));
    });

    it("lets the oldest go where their texts have more bytes than may be, and never the last one", async () => {
      // Each has 100 bytes, of fewer letters.
      const row = (seq: number): AuditRow => ({ ...(rowsOf(seq)[0] as AuditRow), text: "ž".repeat(50) });
      let head: ReturnType<typeof headOf> | null = null;
      const append = async (bytesMax: number, ...rows: AuditRow[]) => {
        expect(await one.append(rows, head, { ...roomy, bytesMax })).toBe(true);
        head = headOf(rows.at(-1) as AuditRow);
        return (await all()).map(({ seq }) => seq);
      };
      expect(await append(1_000, row(1), row(2))).toEqual([1, 2]);
      // Numbers have gaps, behind a loss.
      for (const seq of [3, 10_004, 10_005, 10_006]) await append(1_000, row(seq));
      expect(await append(1_000, row(10_007))).toEqual([1, 2, 3, 10_004, 10_005, 10_006, 10_007]);
      expect(await append(701, row(10_008))).toEqual([1, 2, 3, 10_004, 10_005, 10_006, 10_007, 10_008]);
      expect(await append(800, row(10_009))).toEqual([2, 3, 10_004, 10_005, 10_006, 10_007, 10_008, 10_009]);
      expect(await append(450, row(10_010))).toEqual([10_006, 10_007, 10_008, 10_009, 10_010]);
      expect(await append(401, row(10_011), row(10_012))).toEqual([10_008, 10_009, 10_010, 10_011, 10_012]);
      expect(await append(1, row(10_013))).toEqual([10_013]);
      expect(await append(1, row(10_014), row(10_015))).toEqual([10_015]);
      expect(await all()).toEqual([row(10_015)]);
    });
  });
}
