import { type LimitedBlock, limitedBlocks } from "../../lib/address-block.ts";
import { AddressBuckets, type BucketRate, type RoomBuckets } from "../../lib/address-buckets.ts";
import { isOfOwnNetwork, readRange } from "../../lib/address-ranges.ts";
import type { Clock } from "../../lib/clock.ts";
import type { JoinLimit, JoinLimitOfRange } from "../../store/contract/room-store.ts";

/** Entries of a draw for each address, where the room says nothing else: a family's, not a reseller's. */
const usualPrequeue = 10;
/**
 * Entries are not given back by time: a bucket is filled by one each 115 days. The same for all, so that a limit that is changed
 * counts what was taken before.
 */
const entryPerMinute = 60_000 / 1e10;

/**
 * So many blocks of each width are remembered, of all rooms together, for the rates and once more for the entries of draws. Each width
 * has memory of its own: many addresses of one width make those of no other forgotten.
 */
const maxBlocks = { 32: 100_000, 64: 50_000, 56: 25_000, 48: 25_000 } as const;

type Width = LimitedBlock["bits"];

/** The entries that a room gives now. */
export interface Entries {
  readonly edition: number;
  /** When to come again where an address has all of its entries. */
  readonly retryMs: number;
}

export type JoinLimits = ReturnType<typeof createJoinLimits>;

/** Joins per address block (lib/address-block.ts), and per wider blocks around it, in memory of bounded size. */
export function createJoinLimits(clock: Clock) {
  const rates = createBlocks(clock);
  const entriesTaken = createBlocks(clock);
  const rangesOf = createRanges();

  return {
    /** How many blocks are remembered. */
    get size(): number {
      return rates.size + entriesTaken.size;
    },

    /**
     * @param name of the room's line
     * @param limit of one address; wider blocks have a multiple of it
     * @param entries null where places are given, and no entries of a draw
     */
    of(name: string, limit: JoinLimit, entries: Entries | null): RoomBuckets {
      /** What counts for a block; nothing where it is not counted. A range with a limit of its own has buckets of its own. */
      const boundsOf = (block: string): RoomBuckets[] => {
        const own = rangesOf(limit)(block);
        if (own?.limit === null) return [];
        const { perMinute, burst, prequeue } = { ...limit, ...own?.limit };
        const of = own === undefined ? "" : ` ${own.range}`;
        const rate = rates.of(`${name}${of}`, { perMinute, burst }, true);
        const places = prequeue ?? usualPrequeue;
        if (entries === null || places === "any" || isOfOwnNetwork(networkOf(block))) return [rate];
        const bucket = { perMinute: entryPerMinute, burst: places };
        const quota = entriesTaken.of(`${name} ${entries.edition}${of}`, bucket, false);
        const take = (each: string) => (quota.take(each) > 0 ? entries.retryMs : 0);
        return [{ ...quota, take }, rate];
      };
      return {
        take(block) {
          return takeOfAll(boundsOf(block).map((bound) => [bound, block]));
        },
        giveBack(block) {
          for (const bound of boundsOf(block)) bound.giveBack(block);
        },
      };
    },

    /** Forgets the entries of a room: they are of an edition that is over. */
    forgetEntries(name: string): void {
      entriesTaken.forget(name);
    },
  };
}

/** Takes of all of them or of none. Milliseconds until there may be a token. */
function takeOfAll(bounds: readonly (readonly [RoomBuckets, string])[]): number {
  for (const [index, [bound, block]] of bounds.entries()) {
    const waitMs = bound.take(block);
    if (waitMs === 0) continue;
    for (const [other, taken] of bounds.slice(0, index)) other.giveBack(taken);
    return waitMs;
  }
  return 0;
}

/** Buckets of a block and of the wider ones around it. The widest is asked first: what is used up stores no further address in it. */
function createBlocks(clock: Clock) {
  const buckets: { readonly [Bits in Width]: AddressBuckets } = {
    32: new AddressBuckets(clock, maxBlocks[32]),
    64: new AddressBuckets(clock, maxBlocks[64]),
    56: new AddressBuckets(clock, maxBlocks[56]),
    48: new AddressBuckets(clock, maxBlocks[48]),
  };
  const all = Object.values(buckets);

  return {
    get size(): number {
      return all.reduce((sum, { size }) => sum + size, 0);
    },
    forget: (name: string) => {
      for (const each of all) each.forget(name);
    },
    /** @param isFilled whether by time, so that a wider block is filled faster */
    of(name: string, { perMinute, burst }: BucketRate, isFilled: boolean): RoomBuckets {
      const bucketOf = ({ bits, times }: LimitedBlock) =>
        buckets[bits].of(name, { perMinute: perMinute * (isFilled ? times : 1), burst: times * burst });
      return {
        take: (block) => takeOfAll(limitedBlocks(block).map((each) => [bucketOf(each), each.block])),
        giveBack(block) {
          for (const each of limitedBlocks(block)) bucketOf(each).giveBack(each.block);
        },
      };
    },
  };
}

/** Ranges are read once for each object of settings. */
function createRanges() {
  const known = new WeakMap<object, (block: string) => JoinLimitOfRange | undefined>();
  return ({ ranges }: JoinLimit) => {
    if (!ranges) return () => undefined;
    const found = known.get(ranges);
    if (found !== undefined) return found;
    const read = ranges.map((each) => [readRange(each.range), each] as const);
    const find = (block: string) => read.find(([has]) => has(networkOf(block)))?.[1];
    known.set(ranges, find);
    return find;
  };
}

/** An address of the block. */
function networkOf(block: string): string {
  return block.replace("::/64", "::");
}
