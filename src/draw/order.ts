import { createEntryNumbers, type NumberRecord } from "./numbers.ts";
import { type KeyParts, keyOf } from "./outcome.ts";
import { createPermutation } from "./permutation.ts";

/** All that fixes an order: public, once the draw is done. */
export type DrawRecord = NumberRecord & Omit<KeyParts, "entries">;

export interface Order {
  readonly entries: number;
  /**
   * The place in line of an entry number. Maps first … last onto itself: the entries to the front, the numbers that
   * nobody holds behind them. Numbers that were not in the draw keep their own.
   */
  positionOf(number: number): number;
}

/** @throws RangeError for numbers that cannot be */
export function createOrder(record: DrawRecord): Order {
  const { first } = record;
  const numbers = createEntryNumbers(record);
  const { entries } = numbers;
  const permutation = createPermutation(keyOf({ ...record, entries }), entries);

  return {
    entries,
    positionOf(number) {
      const found = numbers.rankOf(number);
      if (found === null) return number;
      return first + (found.isEntry ? permutation.at(found.rank) : entries + found.rank);
    },
  };
}
