import { createHash } from "node:crypto";
import type { Random } from "../../src/lib/clock-and-random.ts";
import { nextRsaKey } from "./rsa-keys.ts";

/** Random bytes that a seed determines, so that a failure can be repeated; not its RSA keys, of which a test only knows that they differ. */
export function createSeededRandom(seed: string): Random {
  let block = 0;
  const next = () => createHash("sha256").update(`${seed}:${block++}`).digest();
  return {
    bytes(count) {
      const parts: Buffer[] = [];
      for (let length = 0; length < count; length += 32) parts.push(next());
      return Buffer.concat(parts).subarray(0, count);
    },
    fraction: () => next().readUInt32BE(0) / 2 ** 32,
    rsaKey: async () => nextRsaKey(),
  };
}
