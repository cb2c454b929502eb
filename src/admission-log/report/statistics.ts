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
  const sorted = values.toSorted();
  const at = (part: number) => sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? 0;
  const mean = sorted.reduce((sum, value) => sum + value, 0) / sorted.length;
  return { count: sorted.length, p50: at(0.5), p90: at(0.9), p99: at(0.99), max: at(1), mean };
}

/** How far the order of admission is that of the places. */
export interface OrderKept {
  readonly admissions: number;
  /** Pairs of admissions of which the one with the higher position came first. */
  readonly inversions: number;
  /** All pairs; those of one position (after a loss) count neither way. */
  readonly pairs: number;
  readonly ties: number;
  /** Kendall's tau-b: 1 in order, 0 as if by chance, -1 the other way round. Null of fewer than two positions. */
  readonly kendall_tau: number | null;
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
  const kendall_tau = pairs === ties ? null : (concordant - inversions) / Math.sqrt(pairs * (pairs - ties));
  const displacement = quantilesOf(displacements(positions));
  return { admissions: n, inversions, pairs, ties, kendall_tau, displacement };
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

/** Any 60 seconds. */
export const windowMs = 60_000;

export interface LargestWindow {
  readonly admissions: number;
  /** When it begins, in milliseconds of the clock that was given. */
  readonly fromMs: number;
}

/** The most admissions in any 60 seconds, ends not both included. @param times ascending; null of none */
export function largestWindow(times: Float64Array): LargestWindow | null {
  let largest: LargestWindow | null = null;
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
    while (highest.length > head && (limits[highest.at(-1) ?? 0] ?? 0) <= (limits[last] ?? 0)) highest.pop();
    highest.push(last);
    while ((times[last] ?? 0) - (times[first] ?? 0) >= windowMs) first++;
    while ((highest[head] ?? last) < first) head++;
    if (last - first + 1 > (limits[highest[head] ?? last] ?? 0)) over++;
  }
  return over;
}

/** Admissions per minute of wall-clock time, in bins of whole minutes. */
export interface OutflowBin {
  readonly fromMs: number;
  readonly minutes: number;
  readonly admissions: number;
  /** The highest limit in force in the bin; null where there was none, for all of it or a part. */
  readonly limit: number | null;
}

const mostBins = 120;

/** @param times ascending, by the wall clock @param limitsIn every limit in force from one time to another, null for none */
export function outflowBins(
  times: Float64Array,
  limitsIn: (fromMs: number, toMs: number) => readonly (number | null)[],
): OutflowBin[] {
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined) return [];
  const startMs = Math.floor(first / windowMs) * windowMs;
  const minutes = Math.ceil((last - startMs + 1) / windowMs / mostBins);
  const widthMs = minutes * windowMs;
  const admitted = new Array<number>(Math.floor((last - startMs) / widthMs) + 1).fill(0);
  for (const time of times) {
    const bin = Math.floor((time - startMs) / widthMs);
    admitted[bin] = (admitted[bin] ?? 0) + 1;
  }
  return admitted.map((admissions, bin) => {
    const fromMs = startMs + bin * widthMs;
    const limits = limitsIn(fromMs, fromMs + widthMs);
    const known = limits.filter((limit) => limit !== null);
    const limit = known.length === 0 || known.length < limits.length ? null : Math.max(...known);
    return { fromMs, minutes, admissions, limit };
  });
}
