import { AsyncLocalStorage } from "node:async_hooks";
import { generateKeyPair, type KeyObject, randomBytes } from "node:crypto";
import { promisify } from "node:util";

/** The time of this process. Passed in, so that tests can move it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

const systemNow = Date.now;

export const systemClock: Clock = { now: () => systemNow() };

/** Milliseconds since the machine started, as far as the system counts them: they go on over the end of a process, and are never set. */
export const systemUptimeMs = (): number => Number(process.hrtime.bigint() / 1_000_000n);

const clocks = new AsyncLocalStorage<Clock>();

/**
 * Runs a library that asks `Date.now` and takes no clock: it gets this clock's time, also in its timers. All other code
 * is unaffected.
 */
export function runByClock<T>(clock: Clock, work: () => T): T {
  Date.now = nowOfContext;
  return clocks.run(clock, work);
}

function nowOfContext(): number {
  const clock = clocks.getStore();
  // A clock that asks Date.now itself means the system's.
  return clock === undefined ? systemNow() : Math.floor(clocks.run(undefined as unknown as Clock, () => clock.now()));
}

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
