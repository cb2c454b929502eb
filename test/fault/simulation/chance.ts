import { createHash } from "node:crypto";

/** Chance that a seed determines, fast enough for a hundred million draws. */
export interface Chance {
  /** In [0, 1). */
  fraction(): number;
  /** Whole, from 0 to below `bound`. */
  below(bound: number): number;
  isTrue(probability: number): boolean;
  between(low: number, high: number): number;
  /** Exponentially distributed. */
  wait(mean: number): number;
  /** How many of a Poisson process with this mean. */
  count(mean: number): number;
  pick<T>(choices: readonly T[]): T;
}

export function createChance(seed: string): Chance {
  const digest = createHash("sha256").update(seed).digest();
  let a = digest.readInt32LE(0);
  let b = digest.readInt32LE(4);
  let c = digest.readInt32LE(8);
  let counter = 1;

  // sfc32, by Chris Doty-Humphrey (PractRand).
  const fraction = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
  for (let draw = 0; draw < 16; draw++) fraction();

  const normal = () => Math.sqrt(-2 * Math.log(1 - fraction())) * Math.cos(2 * Math.PI * fraction());

  return {
    fraction,
    below: (bound) => Math.floor(fraction() * bound),
    isTrue: (probability) => fraction() < probability,
    between: (low, high) => low + (high - low) * fraction(),
    wait: (mean) => -mean * Math.log(1 - fraction()),
    pick<T>(choices: readonly T[]): T {
      return choices[Math.floor(fraction() * choices.length)] as T;
    },
    count(mean) {
      if (mean <= 0) return 0;
      // From here on the two distributions cannot be told apart by anything measured here.
      if (mean > 60) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal()));
      const floor = Math.exp(-mean);
      let product = fraction();
      let count = 0;
      while (product > floor) {
        product *= fraction();
        count++;
      }
      return count;
    },
  };
}
