/**
 * What this process knows of records that work once, should the server's data be an older copy: those that were used up, which it uses up again, and the
 * time before which all of some models are void, because a room's recovery has found a loss.
 */

import { closeSync, fstatSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { draftOf } from "../../lib/draft-file.ts";
import { StoreUnavailableError } from "../../lib/errors.ts";
import { createSharedCalls } from "../../lib/shared-calls.ts";
import type { RoomState, RoomStore, SeenIncarnation } from "../contract/room-store.ts";

/** So many are used up again at once. */
const batch = 500;
/** Nobody waits longer for a room to say whether anything was lost. */
const waitMs = 10_000;

export type UsedRecords = ReturnType<typeof createUsedRecords>;

interface Parts {
  readonly rooms: RoomStore;
  /** Null: what is remembered ends with the process. */
  readonly file: UsedFile | null;
  /** Uses a record up in the store, if it is there. @throws StoreUnavailableError */
  readonly markUsed: (record: string, how: UsedRecord["how"]) => Promise<void>;
  /** The store's wall clock. */
  readonly nowMs: () => number;
  /** Whether commands to the store fail at once now. */
  readonly isCutOff: () => boolean;
  readonly stopwatch?: () => number;
}

export function createUsedRecords({
  rooms,
  file,
  markUsed,
  nowMs,
  isCutOff,
  stopwatch = () => performance.now(),
}: Parts) {
  const used = new Map<string, UsedRecord>(file?.left);
  const incarnations = new Map<string, string>();
  const servers = new Map<string, RoomState["server"]>();
  /** The latest that was seen of a room. */
  let latest: { readonly room: string; readonly seen: SeenIncarnation; readonly atMs: number } | null = null;
  /** The latest loss of rooms that were removed. */
  let removedLostMs = 0;
  let marking: Promise<void> | null = null;
  /** The run that answers though no room knows of it yet, and since when. */
  let unknown = { run: "", sinceMs: 0 };

  function remember(record: string, entry: UsedRecord): void {
    used.delete(record);
    used.set(record, entry);
    const [oldest] = used.size > usedMost ? used.keys() : [];
    if (oldest !== undefined) used.delete(oldest);
  }

  /** The data that answers may be older than what was used. */
  async function markAll(): Promise<void> {
    const now = nowMs();
    for (const [record, { expiresMs }] of used) if (expiresMs <= now) used.delete(record);
    const all = [...used];
    for (let at = 0; at < all.length; at += batch) {
      await Promise.all(all.slice(at, at + batch).map(([record, { how }]) => markUsed(record, how)));
    }
  }

  function learn(room: string, state: RoomState): void {
    const { incarnation, flowMs, edition, queued, server } = state;
    servers.set(room, server);
    latest = { room, seen: { incarnation, flowMs, edition, queued }, atMs: stopwatch() };
  }

  /** When the latest loss ended, as the rooms say now: an emptied store knows of none. */
  const lastLossMs = () =>
    [...servers.values()].reduce((latestMs, server) => Math.max(latestMs, server.lostMs), removedLostMs);

  async function compareAge(): Promise<void> {
    if (latest === null) return;
    const { room, seen, atMs } = latest;
    const outcome = await rooms.listKeys(room, seen, 0, 1);
    if (outcome.result === "ok" || latest?.room !== room) return;
    // Others may have removed the room.
    if (stopwatch() - atMs > waitMs) latest = null;
    throw new StoreUnavailableError(null, "the store is being compared with what is remembered of it");
  }

  /** One comparison for all who wait for one that is not sent yet. */
  const shareComparison = createSharedCalls<null, void>({
    async call(requests) {
      await compareAge();
      return requests.map(() => undefined);
    },
    most: Number.POSITIVE_INFINITY,
    isCutOff,
  });

  return {
    /** The same rooms, watched. */
    rooms: {
      ...rooms,
      async contribute(contribution) {
        const { room } = contribution;
        const answer = await rooms.contribute(contribution);
        if (incarnations.get(room) !== answer.incarnation) {
          // While the room recovers, so that all processes have done so before it goes on.
          marking ??= markAll().finally(() => {
            marking = null;
          });
          await marking;
          incarnations.set(room, answer.incarnation);
        }
        return answer;
      },
      async tick(room, ...args) {
        const outcome = await rooms.tick(room, ...args);
        if (outcome.result === "ok") learn(room, outcome.value.state);
        return outcome;
      },
      async forget(room) {
        if (latest?.room === room) latest = null;
        incarnations.delete(room);
        removedLostMs = Math.max(removedLostMs, servers.get(room)?.lostMs ?? 0);
        servers.delete(room);
        await rooms.forget(room);
      },
    } satisfies RoomStore as RoomStore,

    /** A record was used up here. On disk when this returns. @param leftMs until it expires */
    add(record: string, how: UsedRecord["how"], leftMs: number): void {
      const entry = { how, expiresMs: nowMs() + leftMs };
      remember(record, entry);
      file?.add(record, entry, used);
    },

    /** A record is written: nothing that was found void is written again. */
    forget: (record: string) => used.delete(record),

    of: (record: string): UsedRecord["how"] | null => used.get(record)?.how ?? null,

    /**
     * Whether nothing was lost between two runs of servers.
     *
     * @throws StoreUnavailableError while no room can say
     */
    goesOn(from: string, to: string): boolean {
      if (servers.size === 0) return false;
      const all = [...servers.values()];
      const here = all.filter(({ runId }) => runId === to);
      if (here.some(({ runsBefore }) => !runsBefore.includes(from))) return false;
      if (here.length > 0 && !all.some(({ runId }) => runId === from)) return true;
      if (unknown.run !== to) unknown = { run: to, sinceMs: stopwatch() };
      if (stopwatch() - unknown.sinceMs > waitMs) return here.length > 0;
      throw new StoreUnavailableError(null, "the store has not said yet whether it has lost anything");
    },

    /**
     * Makes sure that the data is not older than what this process has seen: it may have been put back since its last tick. To be called once the record was
     * read, so that no data that is put back meanwhile is missed.
     *
     * @throws StoreUnavailableError while a room recovers
     */
    async checkAge(): Promise<void> {
      if (latest !== null) await shareComparison(null);
    },

    /** When the last loss ended that this process knows of, by the server's clock; 0 for none. */
    get lostMs() {
      return lastLossMs();
    },

    /**
     * Whether a record may be an older copy of one that was used. What was written by somebody who knew of the loss is younger, though the server's clock
     * was set back since.
     */
    isVoid({ writtenMs, lostMs }: { readonly writtenMs: number; readonly lostMs: number }): boolean {
      const lastMs = lastLossMs();
      return writtenMs <= lastMs && lostMs < lastMs;
    },
  };
}

// Records that work once and were used up, on disk beside the checkpoints: a file for each process and store, which is only added to. A line has when the
// record expires, what became of it, and its name. What was used is worth nothing, but in an older copy of the store; so nobody else may read it (mode 0600).

interface UsedRecord {
  readonly how: "consumed" | "gone";
  readonly expiresMs: number;
}

export interface UsedFileOptions {
  /** That of the checkpoints. */
  readonly directory: string;
  readonly processName: string;
  /** Null for the main one. */
  readonly storeName: string | null;
  readonly nowMs: () => number;
  readonly onFailure: (error: unknown) => void;
}

type UsedFile = ReturnType<typeof createUsedFile>;

const linePattern = /^(\d{1,15}) (consumed|gone) (\S+)$/;
/** Of so many records a process remembers that they were used up. */
export const usedMost = 100_000;
/** Lines that do not count any more, beside as many that do. */
const spareLines = 1_000;

const lineOf = (record: string, { how, expiresMs }: UsedRecord) => `${Math.ceil(expiresMs)} ${how} ${record}\n`;

export function createUsedFile({ directory, processName, storeName, nowMs, onFailure }: UsedFileOptions) {
  const ending = `${storeName === null ? "" : `~${storeName}`}.used`;
  const path = join(directory, processName + ending);
  let file: number | null = null;
  /** Null where it has to be written anew. */
  let lines: number | null = null;

  function close(): void {
    if (file !== null) closeSync(file);
    file = null;
  }

  /** The file appears whole or not at all. */
  function replace(all: ReadonlyMap<string, UsedRecord>): void {
    close();
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const draft = draftOf(path);
    try {
      file = openSync(draft.path, "w", 0o600);
      const now = nowMs();
      const live = [...all].filter(([, { expiresMs }]) => expiresMs > now);
      writeAll(file, live.map(([record, entry]) => lineOf(record, entry)).join(""));
      draft.put(true);
      lines = live.length;
    } catch (error) {
      draft.drop();
      throw error;
    }
  }

  return {
    /** What all processes of this directory have left of the store; of too much, what expires last. */
    left: readAll(directory, ending, storeName, nowMs()),

    /** Adds a record. @param all that count, this one included */
    add(record: string, entry: UsedRecord, all: ReadonlyMap<string, UsedRecord>): void {
      try {
        if (file === null || lines === null || lines > 2 * all.size + spareLines || isRemoved(file)) replace(all);
        else {
          writeAll(file, lineOf(record, entry));
          lines++;
        }
      } catch (error) {
        close();
        lines = null;
        onFailure(error);
      }
    },

    close,
  };
}

/** Another process that has started meanwhile found nothing in it that counts. */
function isRemoved(file: number): boolean {
  return fstatSync(file).nlink === 0;
}

/** A line that is not whole says nothing. A file in which nothing counts any more is removed: its process may be gone. */
function readAll(directory: string, ending: string, storeName: string | null, nowMs: number): Map<string, UsedRecord> {
  const left = new Map<string, UsedRecord>();
  for (const name of namesIn(directory)) {
    if (!name.endsWith(ending) || (storeName === null && name.includes("~"))) continue;
    const path = join(directory, name);
    const text = textOf(path);
    // Whoever may not read it does not remove it either.
    let isNeeded = text === null;
    for (const line of (text ?? "").split("\n")) {
      const [, expires = "", how = "", record = ""] = linePattern.exec(line) ?? [];
      if (Number(expires) <= nowMs) continue;
      isNeeded = true;
      left.set(record, { how: how as UsedRecord["how"], expiresMs: Number(expires) });
    }
    if (!isNeeded) remove(path);
  }
  if (left.size <= usedMost) return left;
  return new Map([...left].sort(([, a], [, b]) => a.expiresMs - b.expiresMs).slice(-usedMost));
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

/** A file that stays is read once more at the next start. */
function remove(path: string): void {
  try {
    rmSync(path);
  } catch {
    // Others may have removed it, or the disk takes no changes.
  }
}

/** On a full disk a write may take a part of it alone; then the next one throws. */
function writeAll(file: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}
