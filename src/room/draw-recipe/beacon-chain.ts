import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";

/** A chain of drand, whose nodes together publish a random number at fixed times, each a round. Hexadecimal texts. */
export interface BeaconChain {
  readonly hash: string;
  /** In G2, compressed. */
  readonly publicKey: string;
  /** When round 1 was published, in seconds since 1970. */
  readonly genesisSec: number;
  readonly periodSec: number;
}

/** The League of Entropy's; scheme bls-unchained-g1-rfc9380. */
export const quicknet: BeaconChain = {
  hash: "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
  publicKey:
    "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
  genesisSec: 1_692_803_367,
  periodSec: 3,
};

/** How long after the last entry the round of a draw is published at the earliest: the record of who takes part is public before. */
const afterClosingMs = 6_000;

/** The first round that is published at a time or later. */
export function roundAfter(chain: BeaconChain, ms: number): number {
  return Math.max(1, Math.ceil((ms - publishedMs(chain, 1)) / (chain.periodSec * 1_000)) + 1);
}

/** When a round is published, in milliseconds since 1970. */
export function publishedMs({ genesisSec, periodSec }: BeaconChain, round: number): number {
  return (genesisSec + (round - 1) * periodSec) * 1_000;
}

/** The round of a draw whose entries are taken until `closesMs`: nobody knows it while anybody may still come. */
export function roundOfDraw(chain: BeaconChain, closesMs: number): number {
  return roundAfter(chain, closesMs + afterClosingMs);
}

/** The number of a round. Both are hexadecimal texts. */
export function randomnessOf(signature: string): string {
  return bytesToHex(sha256(hexToBytes(signature)));
}
