import { readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { StoreUnavailableError } from "../../lib/errors.ts";
import type { Logger } from "../../lib/logger.ts";
import { codeOf } from "../../lib/system-errors.ts";
import { type ChainHead, readLine } from "../../room/admission-log/index.ts";
import type { AuditBounds, AuditRow, AuditStore } from "../../store/contract/room-store.ts";

export type RestoredRows = ReturnType<typeof createRestoredRows>;

/** Rows that a gateway which finds none in its store begins with; whoever puts a backup back writes them there. */
export const restoredAuditFile = (secretsFile: string) => join(dirname(secretsFile), "audit.restored.ndjson");

const batchMax = 100;

/** Rows of a backup, which a store that has none begins with. */
export function createRestoredRows({
  file,
  store,
  bounds,
  logger,
}: {
  /** Lines of an exported audit; there may be no such file. */
  readonly file: string;
  readonly store: AuditStore;
  readonly bounds: AuditBounds;
  readonly logger: Pick<Logger, "error">;
}) {
  let isDone = false;
  let underWay: Promise<void> | null = null;

  return {
    /**
     * Before any other row of this process is appended. Where the store has other rows these are newer: the file is put aside, for people.
     *
     * @throws StoreUnavailableError
     */
    async put(): Promise<void> {
      if (isDone) return;
      underWay ??= putAll().finally(() => {
        underWay = null;
      });
      await underWay;
    },
  };

  async function putAll(): Promise<void> {
    try {
      const rows = readRows(file);
      if (rows.length > 0) {
        if (await appendAll(rows)) rmSync(file, { force: true });
        else renameSync(file, `${file}.not-used`);
      }
    } catch (error) {
      if (error instanceof StoreUnavailableError) throw error;
      // Another process of this machine has done it, or nobody can: the audit goes on without them.
      if (codeOf(error) !== "ENOENT")
        logger.error({ event: "audit.not_restored", err: error }, `the rows in ${file} are not in the audit`);
    }
    isDone = true;
  }

  /** False where the store has other rows. Any number of processes append the same ones, each what is missing. */
  async function appendAll(all: readonly AuditRow[]): Promise<boolean> {
    for (;;) {
      const head = await store.head();
      const at = head === null ? 0 : all.findIndex(({ seq, hash }) => seq === head.seq && hash === head.hash) + 1;
      if (at === all.length || (head !== null && (await isIn(all.at(-1))))) return true;
      if (head !== null && at === 0) return false;
      await store.append(all.slice(at, at + batchMax), head, bounds);
    }
  }

  /** Whether there are rows of others behind it by now. */
  async function isIn(row: AuditRow | undefined): Promise<boolean> {
    if (row === undefined) return true;
    const [found] = await store.read({ from: row.seq, to: row.seq, limit: 1, isNewestFirst: false });
    return found?.hash === row.hash;
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
    const read = readLine(written);
    if (read === null) break;
    const { seq, kind } = read.line;
    // The first line of an export says what the first row is chained to.
    if (kind !== "base") {
      if (before === null) break;
      rows.push({ seq, hash: read.hash, text: read.text, before });
    }
    before = { seq, hash: read.hash };
  }
  return rows;
}
