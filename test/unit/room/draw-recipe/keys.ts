import { createHash } from "node:crypto";

/** The n-th key of a test: 32 bytes, the same each time. */
export function testKey(n: number | string): Uint8Array {
  return createHash("sha256").update(`key of a test ${n}`).digest();
}
