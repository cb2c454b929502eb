import { readFileSync, rmSync } from "node:fs";
import { type ChainHead, readLine } from "../admission-log/index.ts";
import { codeOf } from "../lib/system-errors.ts";
import type { AuditBounds, AuditRow, AuditStore } from "../store/contract/room-store.ts";

export type RestoredRows = ReturnType<typeof createRestoredRows>;

const batchMax = 100;

/** Rows of a backup, which a store that has none begins with. @param file lines of an exported audit; there may be none */
export function createRestoredRows(file: string, store: AuditStore, bounds: AuditBounds) {
  /** Null: not read yet. */
  let rows: readonly AuditRow[] | null = null;
  let isDone = false;

  return {
    /**
     * Before any other row is appended. Where the store has rows, these are newer, and what was restored is left to a person.
     *
     * @throws StoreUnavailableError
     */
    async put(): Promise<void> {
      if (isDone) return;
      rows ??= readRows(file);
      if (rows.length > 0) await appendAll(rows);
      isDone = true;
    },
  };

  async function appendAll(all: readonly AuditRow[]): Promise<void> {
    const head = await store.head();
    // A part of them is there where an earlier attempt was cut off.
    const from = head === null ? 0 : all.findIndex(({ seq, hash }) => seq === head.seq && hash === head.hash) + 1;
    if (head !== null && from === 0) return;
    let after: ChainHead | null = head;
    for (let at = from; at < all.length; at += batchMax) {
      const batch = all.slice(at, at + batchMax);
      // Another process puts the same ones.
      if (!(await store.append(batch, after, bounds))) return;
      const last = batch.at(-1);
      after = last === undefined ? after : { seq: last.seq, hash: last.hash };
    }
    rmSync(file, { force: true });
  }
}

/** None where there is no file. A line that is none ends them: the chain shows how far they go. */
function readRows(file: string): AuditRow[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
  const rows: AuditRow[] = [];
  let before: ChainHead | null = null;
  for (const written of text.split("\n")) {
    const base = readBase(written);
    if (base !== null) {
      before = base;
      continue;
    }
    const read = readLine(written);
    if (read === null || before === null) break;
    const { seq } = read.line;
    rows.push({ seq, hash: read.hash, text: read.text, before });
    before = { seq, hash: read.hash };
  }
  return rows;
}

/** The first line of an export says what the first row is chained to. */
function readBase(written: string): ChainHead | null {
  const read = readLine(written);
  if (read?.line.kind !== "base") return null;
  return { seq: read.line.seq, hash: read.hash };
}
