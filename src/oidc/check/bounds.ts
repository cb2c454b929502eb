/** How often what was earned cheaply counts: by moving to another network, and by waiting. */
import { limitedBlocks } from "../../lib/address-block.ts";
import { AddressBuckets, type BucketRate, takeOfAll } from "../../lib/address-buckets.ts";
import type { Clock } from "../../lib/clock-and-random.ts";
import type { Where } from "./passes.ts";

/** A visitor needs one. A session that is shared by many is good for no more than these. */
const ofSession = { perMinute: 1, burst: 3 };
/** Sessions and networks that are remembered, of all rooms together. */
const sessionsMax = 50_000;
const networksMax = 20_000;

/** What was earned by a session in a network. */
export interface Earned {
  readonly network: string;
  readonly session: string;
}

/**
 * Joins by a check that was done in another network than the join comes from: as phones of a carrier with several pools of
 * addresses come, and those that use IPv4 and IPv6 by turns. How many there are is bounded for each session, and for each network
 * that they leave or come to, at each process, so that nobody solves for many.
 */
export function createMoves(clock: Clock) {
  const sessions = new AddressBuckets(clock, sessionsMax);
  const networks = new AddressBuckets(clock, networksMax);

  return {
    /**
     * Takes a move where one is needed. Answers what takes that back; null where there are too many.
     *
     * @param rate of each network
     */
    take({ line, network }: Where, from: Earned, rate: BucketRate): (() => void) | null {
      if (from.network === network) return () => {};
      // The session first: one that is used up leaves nothing at the networks that it is tried from.
      const all = [
        [sessions.of(line, ofSession), from.session],
        [networks.of(`${line} from`, rate), from.network],
        [networks.of(`${line} to`, rate), network],
      ] as const;
      if (takeOfAll(all) !== null) return null;
      return () => {
        for (const [bucket, name] of all) bucket.refund(name);
      };
    },
  };
}

/** Places for browsers without scripts, of each address block at each process: a wait is done for nothing, and by many at once. */
const waitsOfBlock = { perMinute: 6, burst: 3 };
/** Blocks that are remembered, of all rooms together. */
const blocksMax = 50_000;

/** How many have joined from an address block by waiting alone. */
export function createWaits(clock: Clock) {
  const buckets = new AddressBuckets(clock, blocksMax);
  const of = (line: string, address: string) =>
    limitedBlocks(address).map(
      ({ block, times }) =>
        [
          buckets.of(line, { perMinute: waitsOfBlock.perMinute * times, burst: waitsOfBlock.burst * times }),
          block,
        ] as const,
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
