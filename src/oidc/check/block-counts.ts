import { type LimitedBlock, limitedBlocks } from "../../lib/address-block.ts";
import { AddressBuckets, type BucketRate, usualRate } from "../../lib/address-buckets.ts";
import type { Clock } from "../../lib/clock-and-random.ts";
import type { RoomSettings } from "../../room/index.ts";

type Check = NonNullable<RoomSettings["check"]>;
type Bits = LimitedBlock["bits"];

/** Blocks of each width that are remembered, of all rooms together. */
const blocksMax = { 32: 40_000, 64: 20_000, 56: 10_000, 48: 10_000 } as const;

export interface Load {
  /** Whether more visitors have joined from this block than its share allows. */
  readonly isSuspicious: boolean;
  /** How many times harder than the easiest check this one is: a power of two. */
  readonly times: number;
}

/** The share of `joins_per_address` that a block may use before its visitors count as suspicious. @param times how many single addresses it stands for */
export function shareOf({ share }: Pick<Check, "share">, limit: BucketRate, times: number): BucketRate {
  return {
    perMinute: Math.max(1, share * limit.perMinute) * times,
    burst: Math.max(1, share * limit.burst) * times,
  };
}

/**
 * Recent joins from each address block, at this process. A leaky bucket: each minute a block's share of `joins_per_address` drains away, so
 * only what exceeds it adds up. Wider blocks of IPv6 are counted as well.
 */
export function createBlockCounts(clock: Clock) {
  const buckets: { readonly [Width in Bits]: AddressBuckets } = {
    32: new AddressBuckets(clock, blocksMax[32]),
    64: new AddressBuckets(clock, blocksMax[64]),
    56: new AddressBuckets(clock, blocksMax[56]),
    48: new AddressBuckets(clock, blocksMax[48]),
  };

  /** The level of each block that contains the address, as a multiple of its share. */
  function* countsOf(line: string, address: string, check: Check, limit: BucketRate) {
    for (const { block, bits, times } of limitedBlocks(address)) {
      const { perMinute, burst: free } = shareOf(check, limit, times);
      // Counting beyond the hardest check would only make the level drain later.
      const rate = { perMinute, burst: free * 2 * check.difficultyMax };
      const bucket = buckets[bits].of(line, rate);
      yield { free, bucket, block };
    }
  }

  return {
    /** @param address null where it is not counted */
    loadOf(line: string, address: string | null, check: Check, limit: BucketRate | null): Load {
      let shares = 0;
      for (const { bucket, block, free } of address === null
        ? []
        : countsOf(line, address, check, limit ?? usualRate)) {
        shares = Math.max(shares, bucket.taken(block) / free);
      }
      const times = check.difficulty * 2 ** Math.floor(Math.log2(1 + shares));
      return { isSuspicious: shares >= 1, times: Math.min(times, Math.max(check.difficulty, check.difficultyMax)) };
    },

    /** Counts a join before it is known to succeed. Returns a function that takes the count back. */
    count(line: string, address: string | null, check: Check, limit: BucketRate | null): () => void {
      const counted = address === null ? [] : [...countsOf(line, address, check, limit ?? usualRate)];
      const taken = counted.filter(({ bucket, block }) => bucket.take(block) === 0);
      return () => {
        for (const { bucket, block } of taken) bucket.refund(block);
      };
    },
  };
}
