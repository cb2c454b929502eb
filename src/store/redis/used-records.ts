/**
 * What this process knows of records that work once, should the server's data be an older copy: those that were used up, which it uses up again, and the
 * time before which all of some models are void, because a room's recovery has found a loss.
 */
import { StoreUnavailableError } from "../../lib/errors.ts";
import type { RoomState, RoomStore, SeenIncarnation } from "../contract/room-store.ts";
import { type UsedFile, type UsedRecord, usedMost } from "./used-file.ts";

/** So many are used up again at once. */
const batch = 500;
/** Nobody waits longer for a room to say whether anything was lost. */
const waitMs = 10_000;

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

export type UsedRecords = ReturnType<typeof createUsedRecords>;

interface Parts {
  readonly rooms: RoomStore;
  /** Null: what is remembered ends with the process. */
  readonly file: UsedFile | null;
  /** Uses a record up in the store, if it is there. @throws StoreUnavailableError */
  readonly markUsed: (record: string, how: UsedRecord["how"]) => Promise<void>;
  /** The store's wall clock. */
  readonly nowMs: () => number;
  readonly stopwatch?: () => number;
}

export function createUsedRecords({ rooms, file, markUsed, nowMs, stopwatch = () => performance.now() }: Parts) {
  const used = new Map<string, UsedRecord>(file?.left);
  const incarnations = new Map<string, string>();
  const servers = new Map<string, RoomState["server"]>();
  /** The latest that was seen of a room. */
  let latest: { readonly room: string; readonly seen: SeenIncarnation; readonly atMs: number } | null = null;
  /** The latest loss of rooms that were removed. */
  let removedLostMs = 0;
  let marking: Promise<void> | null = null;
  /** A comparison that is not sent yet, for all who ask in one turn of the event loop. */
  let checking: Promise<void> | null = null;
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
    await nextTurn();
    checking = null;
    if (latest === null) return;
    const { room, seen, atMs } = latest;
    const outcome = await rooms.listKeys(room, seen, 0, 1);
    if (outcome.result === "ok" || latest?.room !== room) return;
    // Others may have removed the room.
    if (stopwatch() - atMs > waitMs) latest = null;
    throw new StoreUnavailableError(null, "the store is being compared with what is remembered of it");
  }

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
      if (latest === null) return;
      checking ??= compareAge();
      await checking;
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
