import { bls12_381 } from "@noble/curves/bls12-381.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { hexToBytes } from "@noble/hashes/utils.js";
import type { BeaconChain } from "./beacon-chain.ts";

/** RFC 9380's suite BLS12381G1_XMD:SHA-256_SSWU_RO_, as drand's scheme bls-unchained-g1-rfc9380 uses it. */
const domain = "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";

export type VerifyRound = (chain: Pick<BeaconChain, "publicKey">, round: number, signature: string) => boolean;

/**
 * Tells whether the chain has signed the round. Takes some tens of milliseconds of CPU, and much code: who needs it imports it.
 *
 * @param signature hexadecimal; a point of G1, compressed
 */
export const verifyRound: VerifyRound = ({ publicKey }, round, signature) => {
  const { shortSignatures } = bls12_381;
  try {
    const message = shortSignatures.hash(sha256(roundBytes(round)), domain);
    return shortSignatures.verify(hexToBytes(signature), message, hexToBytes(publicKey));
  } catch {
    // No points of the curve, or no hexadecimal text.
    return false;
  }
};

/** What the chain signs is the hash of these: eight bytes, the most significant first. */
export function roundBytes(round: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(round));
  return bytes;
}
