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

/** @param times in any order, by the wall clock @param limitsIn every limit in force from one time to another, null for none */
export function outflowBins(
  times: Float64Array,
  limitsIn: (fromMs: number, toMs: number) => readonly (number | null)[],
): OutflowBin[] {
  if (times.length === 0) return [];
  let min = Number.POSITIVE_INFINITY;
  let max = 0;
  for (const time of times) {
    min = Math.min(min, time);
    max = Math.max(max, time);
  }
  const startMs = Math.floor(min / windowMs) * windowMs;
  const minutes = Math.ceil((max - startMs + 1) / windowMs / mostBins);
  const widthMs = minutes * windowMs;
  const admitted = new Array<number>(Math.floor((max - startMs) / widthMs) + 1).fill(0);
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
