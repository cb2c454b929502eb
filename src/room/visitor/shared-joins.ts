import type { CountedJoins, JoinCountStore } from "../../store/contract/shared.ts";
import type { SyncedRoom } from "../replica/synced-room.ts";
import { isInterruption } from "../replica/synced-room.ts";
import type { SharedBucket } from "./join-limits.ts";

/** Of the contract; types alone are imported from there. */
const joinsMax = 500;
/** Blocks that are remembered for a minute, and blocks that are sent to the store in one second. */
const recordedMax = 100_000;
const sentMax = 2_000;
const rememberedMs = 60_000;
/**
 * A bucket of this size or more is not sent for a single join in a minute: so generous limits, which nobody comes near,
 * cost the store nothing.
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
  /** Joins since the last call to the store. */
  count: number;
  /** When the first of these joined. */
  fromMs: number;
  /** Whether the store has counted this block; then each further join is sent, too. */
  isSent: boolean;
  readonly sinceMs: number;
}

export type SharedJoins = ReturnType<typeof createSharedJoins>;

/**
 * What all processes of an installation count together of a room's joins. Entries of a draw are taken in the store before places are given,
 * once for each batch of joins: an address gains nothing by spreading its joins over processes. Rates are exchanged once a second, and the joins
 * of other processes count here from then on. While the store is away, nobody joins, and this process retains its counts.
 */
export function createSharedJoins(room: SyncedRoom, { store, nameOf }: SharedJoinCounts) {
  let recorded = new Map<string, RecordedJoins>();
  let isSending = false;

  const asCounted = ({ buckets, count, agoMs = 0 }: JoinsOfBlock): CountedJoins => ({
    count,
    agoMs,
    blocks: buckets.map(({ label, tokenMs, mostMs }) => ({ name: nameOf(room.id, label), tokenMs, mostMs })),
  });

  /** Counts in the store, and raises the local buckets to its levels. @returns the number of joins granted for each block */
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
        // Refused joins return the tokens that they took from the local bucket.
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

    /** For entries that yielded no place. If the call fails, the address loses them: at worst one place fewer. */
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

    /** Sends the recorded joins, and takes over the counts of other processes. Called about once a second. */
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
        // They may have been counted. They are not sent again, or an address would pay twice for one place.
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
