import { randomBytes } from "node:crypto";

/** Unpredictable bytes. Passed in, so that tests can seed it. */
export interface Random {
  bytes(count: number): Buffer;
  /** A number in [0, 1), for jitter only. */
  fraction(): number;
}

export const systemRandom: Random = {
  bytes: (count) => randomBytes(count),
  fraction: () => Math.random(),
};
