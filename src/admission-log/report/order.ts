import { type Quantiles, quantilesOf } from "./numbers.ts";

/** How far the order of admission is that of the places. */
export interface OrderKept {
  readonly admissions: number;
  /** Pairs of admissions of which the one with the higher position came first. */
  readonly inversions: number;
  /** All pairs; those of one position (after a loss) count neither way. */
  readonly pairs: number;
  readonly ties: number;
  /** Kendall's tau-b: 1 in order, 0 as if by chance, -1 the other way round. Null of fewer than two positions. */
  readonly kendallTau: number | null;
  /** By how many ranks each came earlier or later than in order of position. */
  readonly displacement: Quantiles | null;
}

/** @param positions in order of admission */
export function orderKept(positions: Float64Array): OrderKept {
  const n = positions.length;
  const pairs = (n * (n - 1)) / 2;
  const sorted = positions.toSorted();
  const ties = tiedPairs(sorted);
  const inversions = countInversions(positions.slice());
  const concordant = pairs - ties - inversions;
  const kendallTau = pairs === ties ? null : (concordant - inversions) / Math.sqrt(pairs * (pairs - ties));
  return { admissions: n, inversions, pairs, ties, kendallTau, displacement: quantilesOf(displacements(positions)) };
}

function tiedPairs(sorted: Float64Array): number {
  let ties = 0;
  let equal = 0;
  for (let i = 1; i < sorted.length; i++) {
    equal = sorted[i] === sorted[i - 1] ? equal + 1 : 0;
    ties += equal;
  }
  return ties;
}

/** Merge sort from below, which counts: O(n log n). Sorts `values`. */
function countInversions(values: Float64Array): number {
  let from: Float64Array = values;
  let to: Float64Array = new Float64Array(values.length);
  let inversions = 0;
  for (let width = 1; width < values.length; width *= 2) {
    for (let start = 0; start < values.length; start += 2 * width) inversions += merge(from, to, start, width);
    [from, to] = [to, from];
  }
  return inversions;
}

function merge(from: Float64Array, to: Float64Array, start: number, width: number): number {
  const middle = Math.min(start + width, from.length);
  const end = Math.min(start + 2 * width, from.length);
  let left = start;
  let right = middle;
  let inversions = 0;
  for (let at = start; at < end; at++) {
    const a = left < middle ? (from[left] ?? 0) : Number.POSITIVE_INFINITY;
    const b = right < end ? (from[right] ?? 0) : Number.POSITIVE_INFINITY;
    if (a <= b) {
      to[at] = a;
      left++;
    } else {
      to[at] = b;
      right++;
      inversions += middle - left;
    }
  }
  return inversions;
}

/** The ranks of equal positions are in order of admission. */
function displacements(positions: Float64Array): Float64Array {
  const byPosition = Uint32Array.from(positions, (_, index) => index).sort(
    (a, b) => (positions[a] ?? 0) - (positions[b] ?? 0) || a - b,
  );
  return Float64Array.from(byPosition, (admitted, rank) => Math.abs(admitted - rank));
}
