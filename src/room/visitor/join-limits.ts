import { type LimitedBlock, limitedBlocks } from "../../lib/address-block.ts";
import { AddressBuckets, type BucketRate, type RoomBuckets, takeOfAll } from "../../lib/address-buckets.ts";
import { createRangeFinders, isPrivateAddress } from "../../lib/address-ranges.ts";
import type { Clock } from "../../lib/clock-and-random.ts";
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

/** Why a join has to wait: too many of its network just now, or all of its entries of a draw are taken. */
export interface OverLimit {
  readonly why: "rate" | "entries";
  /** When to come again. */
  readonly retryMs: number;
}

/** A bucket of a block, or of a wider one around it, as all processes count it together. */
export interface SharedBucket {
  /** Within the room: the range that has a limit of its own, and the block. */
  readonly label: string;
  readonly tokenMs: number;
  readonly mostMs: number;
  /** It is full in no less than this: others have taken of it, too. */
  raise(levelMs: number): void;
}

/** What all processes count together of a block. */
export interface SharedBuckets {
  /** Null where no entries are given, or they are not bounded. */
  readonly entries: readonly SharedBucket[] | null;
  readonly rate: readonly SharedBucket[];
}

/** Of one room, as it is limited now. */
export interface JoinBuckets {
  /** Takes what a join from the block takes; null where it was there. */
  take(block: string): OverLimit | null;
  /** Puts it back: nobody joined. */
  refund(block: string): void;
  shared(block: string): SharedBuckets;
}

/** Buckets of a block and of those around it. */
interface BlockBuckets extends Pick<RoomBuckets, "take" | "refund"> {
  shared(block: string): SharedBucket[];
}

interface Bound {
  readonly why: OverLimit["why"];
  readonly buckets: BlockBuckets;
}

export type JoinLimits = ReturnType<typeof createJoinLimits>;

/** Joins per address block (lib/address-block.ts), and per wider blocks around it, in memory of bounded size. */
export function createJoinLimits(clock: Clock) {
  const rates = createBlocks(clock);
  const entriesTaken = createBlocks(clock);
  const limitOfRange = createLimitsOfRanges();

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
    of(name: string, limit: JoinLimit, entries: Entries | null): JoinBuckets {
      /** What counts for a block; nothing where it is not counted. A range with a limit of its own has buckets of its own. */
      const boundsOf = (block: string): Bound[] => {
        const ofRange = limitOfRange(limit, block);
        if (ofRange?.limit === null) return [];
        const { perMinute, burst, prequeue } = { ...limit, ...ofRange?.limit };
        const of = ofRange === undefined ? "" : ` ${ofRange.range}`;
        const rate = rates.of(name, of, { perMinute, burst }, true);
        const places = prequeue ?? usualPrequeue;
        const ofRate: Bound = { why: "rate", buckets: rate };
        if (entries === null || places === "any" || isPrivateAddress(addressOf(block))) return [ofRate];
        const bucket = { perMinute: entryPerMinute, burst: places };
        const quota = entriesTaken.of(`${name} ${entries.edition}`, of, bucket, false);
        return [{ why: "entries", buckets: quota }, ofRate];
      };
      return {
        take(block) {
          const bounds = boundsOf(block);
          const refused = takeOfAll(bounds.map(({ buckets }) => [buckets, block]));
          const bound = refused && bounds[refused.at];
          if (!refused || !bound) return null;
          const isOfEntries = bound.why === "entries" && entries !== null;
          return { why: bound.why, retryMs: isOfEntries ? entries.retryMs : refused.waitMs };
        },
        refund(block) {
          for (const { buckets } of boundsOf(block)) buckets.refund(block);
        },
        shared(block) {
          const of = (why: OverLimit["why"]) =>
            boundsOf(block)
              .find((bound) => bound.why === why)
              ?.buckets.shared(block);
          return { entries: of("entries") ?? null, rate: of("rate") ?? [] };
        },
      };
    },

    /** Forgets the entries of a room: they are of an edition that is over. */
    forgetEntries(name: string): void {
      entriesTaken.forget(name);
    },
  };
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
      for (const addressBuckets of all) addressBuckets.forget(name);
    },
    /**
     * @param range that has them of its own; "" for the room's
     * @param isFilled whether by time, so that a wider block is filled faster
     */
    of(name: string, range: string, { perMinute, burst }: BucketRate, isFilled: boolean): BlockBuckets {
      const bucketOf = ({ bits, times }: LimitedBlock) =>
        buckets[bits].of(`${name}${range}`, { perMinute: perMinute * (isFilled ? times : 1), burst: times * burst });
      return {
        take: (block) =>
          takeOfAll(limitedBlocks(block).map((limited) => [bucketOf(limited), limited.block]))?.waitMs ?? 0,
        refund(block) {
          for (const limited of limitedBlocks(block)) bucketOf(limited).refund(limited.block);
        },
        shared: (block) =>
          limitedBlocks(block).map((limited) => {
            const { tokenMs, fillMs, raise } = bucketOf(limited);
            const label = `${range} ${limited.block}`;
            return { label, tokenMs, mostMs: fillMs, raise: (levelMs) => raise(limited.block, levelMs) };
          }),
      };
    },
  };
}

/** Finds the range of a limit that has a block, and by it the limit that counts there. */
export function createLimitsOfRanges() {
  const find = createRangeFinders<JoinLimitOfRange, JoinLimitOfRange>((ranges) =>
    ranges.map((entry) => [entry.range, entry]),
  );
  return ({ ranges }: JoinLimit, block: string) => (ranges ? find(ranges)(addressOf(block)) : undefined);
}

/** An address of the block. */
function addressOf(block: string): string {
  return block.replace("::/64", "::");
}
