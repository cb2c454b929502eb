/** What is reckoned over all admissions of an edition, which may be millions. */

export interface Quantiles {
  readonly count: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly max: number;
  readonly mean: number;
}

/** By nearest rank; null of nothing. */
export function quantilesOf(values: Float64Array): Quantiles | null {
  if (values.length === 0) return null;
  const sorted = Float64Array.from(values).sort();
  const at = (part: number) => sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? 0;
  const mean = sorted.reduce((sum, value) => sum + value, 0) / sorted.length;
  return { count: sorted.length, p50: at(0.5), p90: at(0.9), p99: at(0.99), max: at(1), mean };
}

/**
 * How far the order of admission is that of the places.
 *
 * @param positions in order of admission
 */
export function orderPreserved(positions: Float64Array) {
  const n = positions.length;
  const pairs = (n * (n - 1)) / 2;
  // Who was admitted when, in order of position; the ranks of equal positions are in order of admission.
  const admitted = Uint32Array.from(positions, (_, index) => index).sort(
    (a, b) => (positions[a] ?? 0) - (positions[b] ?? 0) || a - b,
  );
  const ties = tiedPairs(Float64Array.from(positions).sort());
  const inversions = countInversions(admitted);
  const concordant = pairs - ties - inversions;
  return {
    admissions: n,
    /** Pairs of admissions of which the one with the higher position came first. */
    inversions,
    /** All pairs; those of one position (after a loss) count neither way. */
    pairs,
    ties,
    /** Kendall's tau-b: 1 in order, 0 as if by chance, -1 the other way round. Null of fewer than two positions. */
    kendall_tau: pairs === ties ? null : (concordant - inversions) / Math.sqrt(pairs * (pairs - ties)),
    /** By how many ranks each came earlier or later than in order of position. */
    displacement: quantilesOf(Float64Array.from(admitted, (index, rank) => Math.abs(index - rank))),
  };
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

/** Pairs of which the greater number comes first, of the numbers 0 … n - 1: O(n log n), by a tree of counts (Fenwick, 1994). */
function countInversions(numbers: Uint32Array): number {
  const counts = new Uint32Array(numbers.length + 1);
  let inversions = 0;
  for (let index = 0; index < numbers.length; index++) {
    const number = numbers[index] ?? 0;
    inversions += index;
    for (let at = number; at > 0; at -= at & -at) inversions -= counts[at] ?? 0;
    for (let at = number + 1; at < counts.length; at += at & -at) counts[at] = (counts[at] ?? 0) + 1;
  }
  return inversions;
}

/** Any 60 seconds. */
export const windowMs = 60_000;

/**
 * The most admissions in any 60 seconds, ends not both included, and when those begin, in milliseconds of the clock that was given.
 *
 * @param times ascending; null of none
 */
export function largestWindow(times: Float64Array) {
  let largest: { readonly admissions: number; readonly fromMs: number } | null = null;
  let first = 0;
  for (let last = 0; last < times.length; last++) {
    while ((times[last] ?? 0) - (times[first] ?? 0) >= windowMs) first++;
    const admissions = last - first + 1;
    if (admissions > (largest?.admissions ?? 0)) largest = { admissions, fromMs: times[first] ?? 0 };
  }
  return largest;
}

/**
 * Windows of 60 seconds that end with an admission and have more of them than the highest limit in force within.
 *
 * @param times ascending
 * @param limits in force at each; infinite for none
 */
export function windowsOverLimit(times: Float64Array, limits: Float64Array): number {
  // Indexes of limits that no later one in the window exceeds, so that the first is the highest.
  const highest: number[] = [];
  let head = 0;
  let first = 0;
  let over = 0;
  for (let last = 0; last < times.length; last++) {
    while (highest.length > head && (limits[highest[highest.length - 1] ?? 0] ?? 0) <= (limits[last] ?? 0))
      highest.pop();
    highest.push(last);
    while ((times[last] ?? 0) - (times[first] ?? 0) >= windowMs) first++;
    while ((highest[head] ?? last) < first) head++;
    if (last - first + 1 > (limits[highest[head] ?? last] ?? 0)) over++;
  }
  return over;
}

const mostBins = 120;

/**
 * Admissions of wall-clock time, in bins of whole minutes, with the highest limit in force in each; null where there was none, for
 * all of it or a part.
 *
 * @param times ascending, by the wall clock
 * @param limitsIn every limit in force from one time to another, null for none
 */
export function outflowBins(
  times: Float64Array,
  limitsIn: (fromMs: number, toMs: number) => readonly (number | null)[],
) {
  const [first, last] = [times[0], times[times.length - 1]];
  if (first === undefined || last === undefined) return [];
  const startMs = Math.floor(first / windowMs) * windowMs;
  const minutes = Math.ceil((last - startMs + 1) / windowMs / mostBins);
  const widthMs = minutes * windowMs;
  return countBins(times, startMs, widthMs).map((admissions, bin) => {
    const fromMs = startMs + bin * widthMs;
    const limits = limitsIn(fromMs, fromMs + widthMs);
    const finite = limits.filter((limit) => limit !== null);
    const limit = finite.length === 0 || finite.length < limits.length ? null : Math.max(...finite);
    return { fromMs, minutes, admissions, limit };
  });
}

/** How many of the values are in each stretch of a width from `start` on, up to the last that has any. */
export function countBins(values: Iterable<number>, start: number, width: number): number[] {
  const bins: number[] = [];
  for (const value of values) {
    const bin = Math.floor((value - start) / width);
    bins[bin] = (bins[bin] ?? 0) + 1;
  }
  return Array.from(bins, (count) => count ?? 0);
}
