import { sizeMax } from "./permutation.ts";

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

export interface EntryNumbers {
  readonly entries: number;
  /** How many of the numbers nobody holds. */
  readonly missing: number;
  /** The stretches between the gaps, which are all numbers that take part. */
  readonly ranges: readonly NumberRange[];
  /**
   * Whose turn a number is among those of its kind, from 0: among the entries, or among the numbers that nobody holds.
   * Null for a number that is not within first … last.
   */
  rankOf(number: number): { readonly isEntry: boolean; readonly rank: number } | null;
}

/** @throws RangeError for a record that cannot be: see `faultOfNumbers` */
export function createEntryNumbers(record: NumberRecord): EntryNumbers {
  const fault = faultOfNumbers(record);
  if (fault !== null) throw new RangeError(fault);
  const { first, last, gaps } = record;
  // How many numbers of gaps lie before each gap.
  const before: number[] = [];
  const ranges: NumberRange[] = [];
  let missing = 0;
  let next = first;
  for (const [from, to] of gaps) {
    before.push(missing);
    missing += to - from + 1;
    if (next < from) ranges.push([next, from - 1]);
    next = to + 1;
  }
  if (next <= last) ranges.push([next, last]);

  return {
    entries: last - first + 1 - missing,
    missing,
    ranges,
    rankOf(number) {
      if (!Number.isInteger(number) || number < first || number > last) return null;
      const at = lastGapFrom(gaps, number);
      const [from, to] = gaps[at] ?? [first, first - 1];
      const isEntry = number > to;
      // Those of gaps that are lower than the number.
      const lower = (before[at] ?? 0) + Math.min(number, to + 1) - from;
      return { isEntry, rank: isEntry ? number - first - lower : lower };
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

/** Which gap is the last that begins at the number or before; -1 for none. */
function lastGapFrom(gaps: readonly NumberRange[], number: number): number {
  let low = 0;
  let high = gaps.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((gaps[middle]?.[0] ?? 0) <= number) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
