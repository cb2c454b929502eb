import { hkdf } from "@noble/hashes/hkdf.js";
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { DrawName } from "./outcome.ts";

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
