import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/** SHA-256 of a text as UTF-8, in hex, wherever there is none of Node. */
export function sha256Text(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}
