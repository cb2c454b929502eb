/** What a draw derives by hashing: its seed, what is published of that beforehand, and the key of its order. */
import { hkdf } from "@noble/hashes/hkdf.js";
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/** Which draw: each prequeue of an edition of a room is one of its own. */
export interface DrawName {
  readonly room: string;
  readonly edition: number;
  /** 1, 2, … within the edition. */
  readonly id: number;
}

/**
 * What the public beacon gave, in hexadecimal texts in lower case: null where none was announced, "fallback" where it could not be
 * had in time.
 */
export type BeaconOutcome =
  | { readonly chain: string; readonly round: number; readonly randomness: string }
  | "fallback"
  | null;

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

/**
 * The seed of a draw, 64 hexadecimal digits: derived from the draw key alone, so it survives a loss of the store.
 *
 * @param secret of the draw key
 */
export function seedOf(secret: Uint8Array, { room, edition, id }: DrawName): string {
  return bytesToHex(hmac(sha256, secret, utf8ToBytes(`usher draw seed v1\n${room}\n${edition}\n${id}`)));
}

/** The private key with which receipts are signed: the 32 bytes that Ed25519 calls its seed (RFC 8032, section 5.1.5). */
export function receiptSeedOf(secret: Uint8Array): Uint8Array {
  return hkdf(sha256, secret, utf8ToBytes(""), utf8ToBytes("usher draw receipts v1"), 32);
}
