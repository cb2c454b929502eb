import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/** Which draw: each prequeue of an edition of a room is one of its own. */
export interface DrawName {
  readonly room: string;
  readonly edition: number;
  /** 1, 2, … within the edition. */
  readonly id: number;
}

/** A public round as it goes into the key; hexadecimal texts in lower case. */
export interface RoundValue {
  readonly chain: string;
  readonly round: number;
  readonly randomness: string;
}

/** What the public beacon gave: null where none was announced, "fallback" where it could not be had in time. */
export type BeaconOutcome = RoundValue | "fallback" | null;

export interface KeyParts extends DrawName {
  /** 64 hexadecimal digits, lower case. */
  readonly seed: string;
  readonly entries: number;
  readonly beacon: BeaconOutcome;
}

/** What is published before anybody comes: 64 hexadecimal digits. It can be checked with sha256sum. */
export function commitmentOf({ room, edition, id }: DrawName, seed: string): string {
  return bytesToHex(hashLines("usher draw commitment v1", room, edition, id, seed));
}

export function beaconTextOf(beacon: BeaconOutcome): string {
  if (beacon === null) return "none";
  return beacon === "fallback" ? "fallback" : `drand ${beacon.chain} ${beacon.round} ${beacon.randomness}`;
}

/** The key of the permutation, 32 bytes. */
export function keyOf({ room, edition, id, seed, entries, beacon }: KeyParts): Uint8Array {
  return hashLines("usher draw key v1", room, edition, id, seed, entries, beaconTextOf(beacon));
}

function hashLines(...lines: (string | number)[]): Uint8Array {
  return sha256(utf8ToBytes(lines.join("\n")));
}
