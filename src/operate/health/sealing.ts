import type { LogState } from "../../store/contract/room-records.ts";

/** A state of a room, as far as its log goes. */
interface Logged {
  readonly nowMs: number;
  readonly incarnation: string;
  readonly log: LogState;
}

interface Mark {
  readonly incarnation: string;
  readonly atMs: number;
  readonly last: number;
}

/** How far the admission log of a room is sealed. */
export interface Sealing {
  readonly last: number;
  readonly sealed: number;
  /** All that was logged until then is sealed, now of the store; null where that is not known yet. */
  readonly sealedThroughMs: number | null;
  /** Rows that were there at this time are not sealed yet; null for none. */
  readonly waitingSinceMs: number | null;
}

/** Watches the seals of rooms: a store does not keep when a row was sealed. */
export function createSealingWatch() {
  const marks = new Map<string, { through: number | null; next: Mark }>();
  return {
    /** Called with each state, at any pace. */
    look(room: string, { nowMs, incarnation, log }: Logged): Sealing {
      const before = marks.get(room);
      const isSame = before !== undefined && before.next.incarnation === incarnation;
      const { last } = log;
      const sealed = log.sealed.seq;
      const now: Mark = { incarnation, atMs: nowMs, last };
      let through = isSame ? before.through : null;
      let next = isSame ? before.next : now;
      if (sealed >= last) through = nowMs;
      else if (sealed >= next.last) through = next.atMs;
      if (sealed >= next.last) next = now;
      marks.set(room, { through, next });
      return { last, sealed, sealedThroughMs: through, waitingSinceMs: sealed >= last ? null : next.atMs };
    },
    /** Forgets rooms that are no more. */
    keep(rooms: ReadonlySet<string>): void {
      for (const room of marks.keys()) if (!rooms.has(room)) marks.delete(room);
    },
  };
}
