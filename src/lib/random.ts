import { generateKeyPair, type KeyObject, randomBytes } from "node:crypto";
import { promisify } from "node:util";

/** Unpredictable bytes. Passed in, so that tests can seed it. */
export interface Random {
  bytes(count: number): Buffer;
  /** A number in [0, 1), for jitter only. */
  fraction(): number;
  /** A new private RSA key of 2048 bits: its primes are left to chance, and take long to find. */
  rsaKey(): Promise<KeyObject>;
}

/** Bytes that are drawn from the system at once: one call for each visitor would be a tenth of a join. */
const poolSize = 8_192;

function createSystemRandom(): Random {
  let pool = Buffer.alloc(0);
  let used = 0;
  return {
    bytes(count) {
      if (count > poolSize) return randomBytes(count);
      if (used + count > pool.length) {
        pool = randomBytes(poolSize);
        used = 0;
      }
      used += count;
      return pool.subarray(used - count, used);
    },
    fraction: () => Math.random(),
    rsaKey: async () => (await promisify(generateKeyPair)("rsa", { modulusLength: 2_048 })).privateKey,
  };
}

export const systemRandom = createSystemRandom();
