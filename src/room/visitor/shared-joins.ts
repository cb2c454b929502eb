import type { CountedJoins, JoinCountStore } from "../../store/contract/shared.ts";
import { isInterruption } from "../replica/interruptions.ts";
import type { SyncedRoom } from "../replica/synced-room.ts";
import type { SharedBucket } from "./join-limits.ts";

/** Of the contract; types alone are imported from there. */
const joinsMax = 500;
/** So many blocks are remembered for a minute, and told of in one second. */
const recordedMax = 100_000;
const sentMax = 2_000;
const rememberedMs = 60_000;
/**
 * Of a bucket that has as many tokens, somebody who joins once within a minute is not worth telling of: so what is open to many
 * addresses costs the store nothing.
 */
const largeBucket = 20;

/** How the processes of an installation count together. */
export interface SharedJoinCounts {
  readonly store: JoinCountStore;
  /** A keyed hash of a block, the same at all processes. */
  readonly nameOf: (room: string, text: string) => string;
}

/** Joins of one block: each takes of all of these buckets. */
export interface JoinsOfBlock {
  readonly buckets: readonly SharedBucket[];
  readonly count: number;
  readonly agoMs?: number;
}

interface RecordedJoins {
  buckets: readonly SharedBucket[];
  /** Since they were told of last. */
  count: number;
  /** When the first of these joined. */
  fromMs: number;
  /** Whether the store knows of it, and is told of each further one. */
  isSent: boolean;
  readonly sinceMs: number;
}

export type SharedJoins = ReturnType<typeof createSharedJoins>;

/**
 * What all processes of an installation count together of a room's joins. Entries of a draw are taken in the store before places are given,
 * once for each batch of joins: an address gets no more by going to many processes. Rates are told of once a second, and what
 * others have given counts here from then on. While the store is away, nobody joins; what this process has counted stays.
 */
export function createSharedJoins(room: SyncedRoom, { store, nameOf }: SharedJoinCounts) {
  let recorded = new Map<string, RecordedJoins>();
  let isSending = false;

  const asCounted = ({ buckets, count, agoMs = 0 }: JoinsOfBlock): CountedJoins => ({
    ...{ count, agoMs },
    blocks: buckets.map(({ label, tokenMs, mostMs }) => ({ name: nameOf(room.id, label), tokenMs, mostMs })),
  });

  /** Asks the store, and goes by what it says from now on. @returns how many of each are given */
  async function ask(
    joins: readonly JoinsOfBlock[],
    call: (counted: readonly CountedJoins[]) => ReturnType<JoinCountStore["recordJoins"]>,
  ): Promise<number[]> {
    const granted: number[] = [];
    for (let first = 0; first < joins.length; first += joinsMax) {
      const some = joins.slice(first, first + joinsMax);
      const answers = await call(some.map(asCounted));
      for (const [at, { buckets, count }] of some.entries()) {
        const { granted: places = 0, levelsMs = [] } = answers[at] ?? {};
        granted.push(places);
        // Whoever is refused gives back here what was taken here.
        for (const [of, bucket] of buckets.entries()) {
          bucket.raise((levelsMs[of] ?? 0) + (count - places) * bucket.tokenMs);
        }
      }
    }
    return granted;
  }

  return {
    /**
     * Takes entries of the edition's draw. Answers how many of each may join.
     *
     * @throws StoreUnavailableError
     */
    async takeEntries(edition: number, joins: readonly JoinsOfBlock[]): Promise<number[]> {
      try {
        return await ask(joins, (counted) => store.takeEntries(room.name, edition, counted));
      } catch (error) {
        if (isInterruption(error)) throw error;
        // A fault of the program or of the store: then this process's own counts are what there is.
        room.emit("room.failed", { error });
        return joins.map(({ count }) => count);
      }
    },

    /** Nobody got a place by them. What cannot be given back is lost to the address: a place it is, at most. */
    giveBackEntries(edition: number, joins: readonly JoinsOfBlock[]): void {
      const back = joins.map(({ buckets, count }) => asCounted({ buckets, count: -count }));
      for (let first = 0; first < back.length; first += joinsMax) {
        store.takeEntries(room.name, edition, back.slice(first, first + joinsMax)).catch(() => {});
      }
    },

    /** One has joined. */
    note(buckets: readonly SharedBucket[]): void {
      const label = buckets.at(-1)?.label;
      if (label === undefined) return;
      const existing = recorded.get(label);
      const nowMs = room.clock.now();
      if (existing !== undefined) {
        if (existing.count === 0) existing.fromMs = nowMs;
        existing.count++;
        existing.buckets = buckets;
      } else if (recorded.size < recordedMax) {
        recorded.set(label, { buckets, count: 1, fromMs: nowMs, isSent: false, sinceMs: nowMs });
      }
    },

    /** Tells what was noted, and learns what others have given. Called about once a second. */
    async tell(): Promise<void> {
      if (isSending || recorded.size === 0) return;
      const nowMs = room.clock.now();
      const due: RecordedJoins[] = [];
      for (const entry of recorded.values()) {
        if (due.length < sentMax && isWorthSending(entry)) due.push(entry);
      }
      const joins = due.map(({ buckets, count, fromMs }) => ({ buckets, count, agoMs: nowMs - fromMs }));
      for (const entry of due) {
        entry.count = 0;
        entry.isSent = true;
      }
      recorded = new Map([...recorded].filter(([, { sinceMs }]) => Math.abs(nowMs - sinceMs) < rememberedMs));
      if (joins.length === 0) return;
      isSending = true;
      try {
        await ask(joins, (counted) => store.recordJoins(room.name, counted));
      } catch (error) {
        // Whether they were counted is not known. An address is not to pay twice for a place.
        if (!isInterruption(error)) throw error;
      } finally {
        isSending = false;
      }
    },
  };
}

function isWorthSending({ buckets, count, isSent }: RecordedJoins): boolean {
  if (count === 0) return false;
  const isSmall = buckets.some(({ tokenMs, mostMs }) => mostMs < largeBucket * tokenMs);
  return isSent || isSmall || count > 1;
}
