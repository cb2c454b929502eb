import { limitedBlocks } from "../lib/address-block.ts";
import { AddressBuckets, takeOfAll } from "../lib/address-buckets.ts";
import type { Clock } from "../lib/clock.ts";

/** Places for browsers without scripts, of each address block at each process: a wait is done for nothing, and by many at once. */
const rate = { perMinute: 6, burst: 3 };
/** Blocks that are remembered, of all rooms together. */
const blocksMax = 50_000;

/** How many have joined from an address block by waiting alone. */
export function createWaits(clock: Clock) {
  const buckets = new AddressBuckets(clock, blocksMax);
  const of = (line: string, address: string) =>
    limitedBlocks(address).map(
      ({ block, times }) =>
        [buckets.of(line, { perMinute: rate.perMinute * times, burst: rate.burst * times }), block] as const,
    );

  return {
    /** Takes one of those that the block has; false where it has none now. @param address null where it is not counted */
    take(line: string, address: string | null): boolean {
      return address === null || takeOfAll(of(line, address)) === null;
    },
    refund(line: string, address: string | null): void {
      if (address !== null) for (const [bucket, block] of of(line, address)) bucket.refund(block);
    },
  };
}
