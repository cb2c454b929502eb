import type { Random } from "../../../../src/lib/clock-and-random.ts";
import { createSeededRandom } from "../../../support/seeded-random.ts";

/** As `createSeededRandom`; but a number of four bytes, as the counter of a proof of work is, is below eight, so that the work is done at once. */
export function createLuckyRandom(seed: string): Random {
  const random = createSeededRandom(seed);
  return {
    ...random,
    bytes(count) {
      const bytes = random.bytes(count);
      return count === 4 ? Buffer.of(0, 0, 0, (bytes[3] ?? 0) % 8) : bytes;
    },
  };
}
