import type { Random } from "../../lib/clock-and-random.ts";
import { decodeNumber, encodeNumber, type KeyRing, readSigned } from "./ticket.ts";

/** Longer tokens are not looked at. */
const maxTokenLength = 256;
/** Passes that a process remembers at once; one that comes on top of them counts for nothing. */
const maxRemembered = 100;

/** A right to have so many visitors of a room for rehearsals join from one address. Times are of the store's wall clock. */
export interface RehearsalPass {
  readonly room: string;
  readonly id: string;
  readonly visitors: number;
  readonly expiresMs: number;
}

export type RehearsalPasses = ReturnType<typeof createRehearsalPasses>;

const context = "usher rehearsal pass v1";

/**
 * Makes and reads passes, and counts at this process how many joined by each. A token is `kid.payload.mac`, its payload
 * `room~id~visitors~expiresMs`: every process accepts it without the store, and each counts for itself, as it does for addresses.
 */
export function createRehearsalPasses(ring: KeyRing, random: Random) {
  /** Of each pass how many have joined by it, and until when it matters. */
  const used = new Map<string, { joins: number; readonly expiresMs: number }>();

  /** Null for anything that is not a pass of this room, and for one that is over. */
  function read(room: string, token: string, nowMs: number): RehearsalPass | null {
    const [ofRoom, id = "", visitors, expires] = readSigned(ring, context, token, maxTokenLength);
    if (ofRoom !== room) return null;
    const pass = { room, id, visitors: decodeNumber(visitors), expiresMs: decodeNumber(expires) };
    return nowMs < pass.expiresMs ? pass : null;
  }

  function countOf({ id, expiresMs }: RehearsalPass, nowMs: number) {
    const existing = used.get(id);
    if (existing !== undefined) return existing;
    for (const [usedId, { expiresMs: endMs }] of used) if (endMs <= nowMs) used.delete(usedId);
    if (used.size >= maxRemembered) return null;
    const count = { joins: 0, expiresMs };
    used.set(id, count);
    return count;
  }

  return {
    read,

    /** @param forMs how long it is valid */
    make(room: string, nowMs: number, visitors: number, forMs: number): RehearsalPass {
      return { room, id: random.bytes(9).toString("base64url"), visitors, expiresMs: Math.floor(nowMs + forMs) };
    },

    encode({ room, id, visitors, expiresMs }: RehearsalPass): string {
      return ring.sign(context, [room, id, encodeNumber(visitors), encodeNumber(expiresMs)].join("~"));
    },

    /** Whether somebody may join by it, as far as this process knows. */
    isGood(room: string, token: string, nowMs: number): boolean {
      const pass = read(room, token, nowMs);
      return pass !== null && (used.get(pass.id)?.joins ?? 0) < pass.visitors;
    },

    /**
     * Counts a join by the pass. Null where it is none, is over or used up: then the address counts, as it does for everybody.
     *
     * @returns what takes the count back, for a join of which nothing came
     */
    use(room: string, token: string, nowMs: number): (() => void) | null {
      const pass = read(room, token, nowMs);
      const count = pass && countOf(pass, nowMs);
      if (pass === null || count === null || count.joins >= pass.visitors) return null;
      count.joins++;
      return () => {
        count.joins--;
      };
    },
  };
}
