import type { KnownIncarnation, RoomStore } from "../contract/room-store.ts";

/** Of so many records that were used up, or are gone, a process remembers that. */
const usedMost = 100_000;

export type UsedRecords = ReturnType<typeof createUsedRecords>;

/**
 * What this process knows of records that work once, should the server's data be put back in place: those that were used up here, and
 * the time before which all are void, because one of the store's rooms was found behind what this process has seen of it.
 *
 * @param nowMs the store's wall clock
 */
export function createUsedRecords(rooms: RoomStore, nowMs: () => number) {
  const used = new Map<string, "consumed" | "gone">();
  /** The latest that was seen of a room. */
  let latest: { readonly room: string; readonly seen: KnownIncarnation } | null = null;
  const incarnations = new Map<string, string>();
  let voidBeforeMs = 0;

  function learn(room: string, incarnation: string): void {
    const known = incarnations.get(room);
    if (known !== undefined && known !== incarnation) voidBeforeMs = nowMs();
    incarnations.set(room, incarnation);
  }

  return {
    /** The same rooms, watched. */
    rooms: {
      ...rooms,
      async contribute(contribution) {
        const answer = await rooms.contribute(contribution);
        learn(contribution.room, answer.incarnation);
        return answer;
      },
      async tick(room, seen, ...rest) {
        const outcome = await rooms.tick(room, seen, ...rest);
        if (outcome.result === "ok") {
          const { incarnation, flowMs, edition, queued } = outcome.value.state;
          learn(room, incarnation);
          latest = { room, seen: { incarnation, flowMs, edition, queued } };
        } else if (latest?.room === room && outcome.result === "recover") voidBeforeMs = nowMs();
        return outcome;
      },
      async forget(room) {
        if (latest?.room === room) latest = null;
        incarnations.delete(room);
        await rooms.forget(room);
      },
    } satisfies RoomStore as RoomStore,

    /** A record was used up here, or is gone. */
    add(record: string, how: "consumed" | "gone"): void {
      used.delete(record);
      used.set(record, how);
      const [oldest] = used.size > usedMost ? used.keys() : [];
      if (oldest !== undefined) used.delete(oldest);
    },

    /** A record is written: nothing that was found void is written again. */
    forget: (record: string) => used.delete(record),

    of: (record: string): "consumed" | "gone" | null => used.get(record) ?? null,

    /** Whether a record that was made at `madeMs` may be an older copy of one that was used. @throws StoreUnavailableError */
    async isVoid(madeMs: number): Promise<boolean> {
      // Data may have been put back since this process has looked last.
      if (latest !== null) {
        const { room, seen } = latest;
        const outcome = await rooms.listKeys(room, seen, 0, 1);
        if (outcome.result !== "ok" && latest?.room === room) {
          voidBeforeMs = Math.max(voidBeforeMs, nowMs());
          latest = null;
        }
      }
      return madeMs <= voidBeforeMs;
    },
  };
}
