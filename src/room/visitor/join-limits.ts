import { type LimitedBlock, limitedBlocks } from "../../lib/address-block.ts";
import { AddressBuckets, type BucketRate, type RoomBuckets } from "../../lib/address-buckets.ts";
import type { Clock } from "../../lib/clock.ts";

/**
 * So many blocks of each width are remembered, of all rooms together. Each width has memory of its own: many addresses of one width
 * make those of no other forgotten.
 */
const maxBlocks = { 32: 100_000, 64: 50_000, 56: 25_000, 48: 25_000 } as const;

type Width = LimitedBlock["bits"];

export type JoinLimits = ReturnType<typeof createJoinLimits>;

/**
 * Joins per address block (lib/address-block.ts), and per wider blocks around it, in memory of bounded size. A join counts at all of
 * them or at none. The widest is asked first: what is used up stores no further address in it.
 */
export function createJoinLimits(clock: Clock) {
  const buckets: { readonly [Bits in Width]: AddressBuckets } = {
    32: new AddressBuckets(clock, maxBlocks[32]),
    64: new AddressBuckets(clock, maxBlocks[64]),
    56: new AddressBuckets(clock, maxBlocks[56]),
    48: new AddressBuckets(clock, maxBlocks[48]),
  };

  return {
    /** How many blocks are remembered. */
    get size(): number {
      return Object.values(buckets).reduce((sum, { size }) => sum + size, 0);
    },

    /** @param rate of one address; wider blocks have a multiple of it */
    of(room: string, { perMinute, burst }: BucketRate): RoomBuckets {
      const bucketOf = ({ bits, times }: LimitedBlock) =>
        buckets[bits].of(room, { perMinute: times * perMinute, burst: times * burst });
      return {
        take(block) {
          const taken: LimitedBlock[] = [];
          for (const each of limitedBlocks(block)) {
            const waitMs = bucketOf(each).take(each.block);
            if (waitMs > 0) {
              for (const other of taken) bucketOf(other).giveBack(other.block);
              return waitMs;
            }
            taken.push(each);
          }
          return 0;
        },
        giveBack(block) {
          for (const each of limitedBlocks(block)) bucketOf(each).giveBack(each.block);
        },
      };
    },
  };
}
