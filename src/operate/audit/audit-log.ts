import type { Clock, Random } from "../../lib/clock-and-random.ts";
import { StoreUnavailableError } from "../../lib/errors.ts";
import type { Logger } from "../../lib/logger.ts";
import { repeat } from "../../lib/repeat.ts";
import { type ChainHead, chainHash, startOfAudit } from "../../room/admission-log/index.ts";
import type { AuditRow, AuditStore } from "../../store/contract/room-store.ts";
import { createAttemptBounds } from "./attempt-bounds.ts";
import { createRestoredRows } from "./restored-rows.ts";
import type { AuditEntry, AuditLine, RequestLine } from "./rows.ts";

/** Older rows leave. Most have some 600 bytes in Redis, so all have about 30 MB. Where many are long, the bytes bound them. */
const auditRowsMax = 50_000;
const auditBytesMax = 64 * 1_048_576;
/** Rows that wait for a store that is away; then requests are counted only. */
const waitingMax = 1_000;
const batchMax = 100;
const tries = 50;
const retryMs = 2_000;
/** JSON of changes and inverse in a row. Of more the row names the members alone, and there is no way back. */
const changesLengthMax = 16_384;
/** So many numbers are skipped behind a loss: more rows than there can have been since this process saw the last one. */
const skippedNumbers = 10_000;

type Waiting = Omit<RequestLine, "seq" | "kind">;
export type AuditLog = ReturnType<typeof createAuditLog>;

/**
 * Writes rows, from any number of processes onto one chain: a row is computed on the last one, and appended if that is still the last.
 * While the store is away rows wait here, each a line of the log already.
 */
export function createAuditLog({
  store,
  clock,
  random,
  logger,
  restoredFile,
  ...options
}: {
  readonly store: AuditStore;
  /** The store's. */
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Lines of a backup's audit; there may be no such file. */
  readonly restoredFile: string;
  readonly rowsMax?: number;
  readonly bytesMax?: number;
}) {
  const { rowsMax = auditRowsMax, bytesMax = auditBytesMax } = options;
  const bounds = createAttemptBounds(clock);
  const restored = createRestoredRows({ file: restoredFile, store, bounds: { rowsMax, bytesMax }, logger });
  let waiting: Waiting[] = [];
  let unlogged = 0;
  /** The last row that this process saw. */
  let cachedHead: ChainHead | null = null;
  /** Rows of which it is unknown whether they were appended: the answer was lost. */
  let unsure: { readonly rows: readonly AuditRow[]; readonly count: number } | null = null;
  let writing: Promise<void> | null = null;
  let isStoreAway = false;
  let stopRetrying = async () => {};

  /** The rows on top of `head`, behind what is to be told of the chain itself. */
  function chained(head: ChainHead | null, lost: ChainHead | null, entries: readonly Waiting[]): AuditRow[] {
    const rows: AuditRow[] = [];
    let before = head ?? lost ?? startOfAudit();
    const add = (line: AuditLine, after: ChainHead = before) => {
      const text = JSON.stringify(line);
      const row = { seq: line.seq, hash: chainHash(after.hash, text), text, before };
      rows.push(row);
      before = { seq: row.seq, hash: row.hash };
    };
    const at = new Date(clock.now()).toISOString();
    if (lost !== null) {
      const seq = Math.max(lost.seq, head?.seq ?? 0) + skippedNumbers + 1;
      const after = head === null || head.seq < lost.seq ? lost : null;
      add({ seq, kind: "recovery", at, heard: lost.seq, after }, after ?? before);
    } else if (head === null) add({ seq: 1, kind: "begin", at, life: random.bytes(12).toString("hex") });
    for (const { at: then, ...entry } of entries) add({ seq: before.seq + 1, kind: "request", at: then, ...entry });
    return rows;
  }

  /** What this process knew and the store has no more. */
  async function lostBehind(head: ChainHead | null): Promise<ChainHead | null> {
    if (cachedHead === null || (head?.seq === cachedHead.seq && head.hash === cachedHead.hash)) return null;
    if (head === null || head.seq <= cachedHead.seq) return cachedHead;
    const [row] = await store.read({ from: cachedHead.seq, to: cachedHead.seq, limit: 1, isNewestFirst: false });
    return row === undefined || row.hash === cachedHead.hash ? null : cachedHead;
  }

  async function wasAppended(rows: readonly AuditRow[]): Promise<boolean> {
    const seq = rows[0]?.seq ?? 0;
    const [found] = await store.read({ from: seq, to: seq, limit: 1, isNewestFirst: false });
    return found !== undefined && found.hash === rows[0]?.hash;
  }

  function written(rows: readonly AuditRow[], count: number): void {
    waiting = waiting.slice(count);
    const last = rows.at(-1);
    if (last !== undefined) cachedHead = { seq: last.seq, hash: last.hash };
  }

  async function write(): Promise<void> {
    await restored.put();
    for (let turn = 0; turn < tries && waiting.length > 0; ) {
      if (unsure !== null) {
        if (await wasAppended(unsure.rows)) written(unsure.rows, unsure.count);
        unsure = null;
        continue;
      }
      const entries = waiting.slice(0, batchMax);
      const head = await store.head();
      const lost = await lostBehind(head);
      const rows = chained(head, lost, entries);
      unsure = { rows, count: entries.length };
      const isAppended = await store.append(rows, head, { rowsMax, bytesMax });
      unsure = null;
      if (!isAppended) {
        turn++;
        continue;
      }
      if (lost !== null)
        logger.warn({ event: "audit.rows_lost", heard: lost.seq }, "the store had lost rows of the audit");
      turn = 0;
      written(rows, entries.length);
    }
  }

  function hasRow({ error, principal, address, method, route }: AuditEntry, routine: string | null): boolean {
    if (principal === null)
      return error === null ? bounds.takeStrangersSuccess(address) : bounds.takeFailure(address, true);
    if (error !== null && !bounds.takeFailure(address, false)) return false;
    if (error === null && routine !== null && !bounds.takeRoutine(routine)) return false;
    const outcome = error === null ? "done" : "not done";
    return bounds.takePrincipals(`${principal.kind} ${principal.id} ${method} ${route} ${outcome}`);
  }

  /** One at a time; rows that come meanwhile go with the next. */
  function flush(): Promise<void> {
    writing ??= write()
      .then(
        () => {
          isStoreAway = false;
        },
        (error: unknown) => {
          if (!isStoreAway) {
            const message = "rows wait until the store takes them; each is in this log already";
            const cause = error instanceof StoreUnavailableError ? { error: error.reason } : { err: error };
            logger.error({ event: "audit.waiting", ...cause }, message);
          }
          isStoreAway = true;
        },
      )
      .finally(() => {
        writing = null;
      });
    return writing;
  }

  return {
    /**
     * A request that was carried out, refused or failed. Ends when the row is stored, or the store does not take it now. Never fails.
     *
     * @param routine what a program reports again and again, by whom and about what; null for anything else
     */
    async record(entry: AuditEntry, routine: string | null = null): Promise<void> {
      const isStranger = entry.principal === null;
      if (!hasRow(entry, routine) || waiting.length >= waitingMax) {
        unlogged++;
        return;
      }
      const row = { at: new Date(clock.now()).toISOString(), ...withoutExcess(entry), unlogged };
      unlogged = 0;
      logger.info({ event: "audit.row", ...row });
      waiting.push(row);
      // A stranger's request does not wait for the store.
      if (isStranger) void flush();
      else {
        await flush();
        if (waiting.includes(row) && !isStoreAway) await flush();
      }
    },

    /** A row by its number; null where there is none. @throws StoreUnavailableError */
    async find(seq: number): Promise<AuditRow | null> {
      const [row] = await store.read({ from: seq, to: seq, limit: 1, isNewestFirst: false });
      return row ?? null;
    },

    /** @throws StoreUnavailableError */
    read: (range: Parameters<AuditStore["read"]>[0]): Promise<AuditRow[]> => store.read(range),

    /** The last row. @throws StoreUnavailableError */
    head: (): Promise<ChainHead | null> => store.head(),

    /** Sees where the chain stands, and writes again and again what the store did not take. */
    start(): void {
      stopRetrying = repeat(0, async () => {
        await restored.put().catch(() => undefined);
        if (cachedHead === null) cachedHead = await store.head().catch(() => null);
        if (waiting.length > 0) await flush();
        return retryMs;
      });
    },

    async stop(): Promise<void> {
      await stopRetrying();
      if (waiting.length > 0) await flush();
    },
  };
}

function withoutExcess<Entry extends AuditEntry>(entry: Entry): Entry {
  const { changes, inverse } = entry;
  if (JSON.stringify([changes, inverse]).length <= changesLengthMax) return entry;
  const names = changes.slice(0, 100).map(({ member }) => ({ member: member.slice(0, 100) }));
  return { ...entry, changes: names, inverse: null };
}
