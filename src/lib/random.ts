import { randomBytes } from "node:crypto";

/** Unpredictable bytes. Passed in, so that tests can seed it. */
export interface Random {
  bytes(count: number): Buffer;
  /** A number in [0, 1), for jitter only. */
  fraction(): number;
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
  };
}

export const systemRandom = createSystemRandom();
