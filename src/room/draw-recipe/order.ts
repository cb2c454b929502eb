/** From the numbers of a prequeue to places in line. */
import { type KeyParts, keyOf } from "./keys.ts";
import { createPermutation, sizeMax } from "./permutation.ts";

/** Numbers from … to, both included. */
export type NumberRange = readonly [from: number, to: number];

/** The numbers that a prequeue handed out, and those between them that nobody holds. */
export interface NumberRecord {
  /** From 1. */
  readonly first: number;
  /** `first` - 1 where nobody came. */
  readonly last: number;
  /** In order, apart from each other, within first … last. */
  readonly gaps: readonly NumberRange[];
}

/** @throws RangeError for a record that cannot be: see `faultOfNumbers` */
export function createEntryNumbers(record: NumberRecord) {
  const fault = faultOfNumbers(record);
  if (fault !== null) throw new RangeError(fault);
  const { first, last, gaps } = record;
  const ranges: NumberRange[] = [];
  // How many entries come before each range.
  const before: number[] = [];
  let entries = 0;
  let next = first;
  for (const [from, to] of [...gaps, [last + 1, last + 1] as const]) {
    if (next < from) {
      ranges.push([next, from - 1]);
      before.push(entries);
      entries += from - next;
    }
    next = to + 1;
  }

  return {
    entries,
    /** The stretches between the gaps, which are all numbers that take part. */
    ranges: ranges as readonly NumberRange[],
    /**
     * Whose turn a number is among those of its kind, from 0: among the entries, or among the numbers that nobody holds.
     * Null for a number that is not within first … last.
     */
    rankOf(number: number) {
      if (!Number.isInteger(number) || number < first || number > last) return null;
      const at = lastFrom(ranges, number);
      const [from, to] = ranges[at] ?? [first, first - 1];
      const isEntry = number <= to;
      const lowerEntries = (before[at] ?? 0) + Math.min(number, to + 1) - from;
      return { isEntry, rank: isEntry ? lowerEntries : number - first - lowerEntries };
    },
  };
}

/** Why there can be no such record, or null. */
export function faultOfNumbers({ first, last, gaps }: NumberRecord): string | null {
  if (!Number.isSafeInteger(first) || first < 1) return `the first number is ${first}, and numbers begin with 1`;
  if (!Number.isSafeInteger(last) || last < first - 1) return `the last number, ${last}, is before the first, ${first}`;
  let reached = first - 1;
  let entries = last - first + 1;
  for (const [from, to] of gaps) {
    if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to) || from > to) return `the gap ${from}…${to} is none`;
    if (from <= reached) return `the gap ${from}…${to} is out of order or before the first number, ${first}`;
    if (to > last) return `the gap ${from}…${to} is beyond the last number, ${last}`;
    reached = to;
    entries -= to - from + 1;
  }
  if (entries > sizeMax) return `${entries} entries are more than ${sizeMax}, the most that a draw can order`;
  return null;
}

/** Which range is the last that begins at the number or before; -1 for none. */
function lastFrom(ranges: readonly NumberRange[], number: number): number {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ranges[middle]?.[0] ?? 0) <= number) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** All that fixes an order: public, once the draw is done. */
export type DrawRecord = NumberRecord & Omit<KeyParts, "entries">;

export type Order = ReturnType<typeof createOrder>;

/** @throws RangeError for numbers that cannot be */
export function createOrder(record: DrawRecord) {
  const { first } = record;
  const numbers = createEntryNumbers(record);
  const { entries } = numbers;
  const placeAt = createPermutation(keyOf({ ...record, entries }), entries);

  return {
    entries,
    /**
     * The place in line of an entry number. Maps first … last onto itself: the entries to the front, the numbers that
     * nobody holds behind them. Numbers that were not in the draw keep their own.
     */
    positionOf(number: number): number {
      const found = numbers.rankOf(number);
      if (found === null) return number;
      return first + (found.isEntry ? placeAt(found.rank) : entries + found.rank);
    },
  };
}
