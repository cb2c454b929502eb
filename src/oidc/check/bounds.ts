/** Bounds on what is cheap to obtain: a pass used from another network, and a place given for waiting. */
import { limitedBlocks } from "../../lib/address-block.ts";
import { AddressBuckets, type BucketRate, takeOfAll } from "../../lib/address-buckets.ts";
import type { Clock } from "../../lib/clock-and-random.ts";
import type { Where } from "./passes.ts";

/** A visitor needs one. A session shared by many people gets no more than these. */
const ofSession = { perMinute: 1, burst: 3 };
/** Sessions and networks that are remembered, of all rooms together. */
const sessionsMax = 50_000;
const networksMax = 20_000;

/** A pass that a session got in one network. */
export interface Earned {
  readonly network: string;
  readonly session: string;
}

/**
 * Joins with a check that was done in another network. Phones do this when their carrier has several address pools, or when they switch
 * between IPv4 and IPv6. Bounded per session and per network on either side, at each process, so that nobody solves checks for many others.
 */
export function createMoves(clock: Clock) {
  const sessions = new AddressBuckets(clock, sessionsMax);
  const networks = new AddressBuckets(clock, networksMax);

  return {
    /**
     * Counts a move to another network if there is one. Returns a function that takes it back; null if there were too many.
     *
     * @param rate of each network
     */
    take({ line, network }: Where, from: Earned, rate: BucketRate): (() => void) | null {
      if (from.network === network) return () => {};
      // The session first: one that is used up must not use up the networks that it is tried from.
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

/** Places for browsers without scripts, per address block and process: waiting costs nothing, and can be done many times at once. */
const waitsOfBlock = { perMinute: 6, burst: 3 };
/** Blocks that are remembered, of all rooms together. */
const blocksMax = 50_000;

/** Joins from an address block by waiting alone. */
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
    /** Uses one of the block's places; false if none is left now. @param address null: it is not counted */
    take(line: string, address: string | null): boolean {
      return address === null || takeOfAll(of(line, address)) === null;
    },
    refund(line: string, address: string | null): void {
      if (address !== null) for (const [bucket, block] of of(line, address)) bucket.refund(block);
    },
  };
}
