/** How many people join, by what was recorded of the last minutes. */
import type { StatisticsStep } from "./room-statistics.ts";

/** A forecast looks back so far, and is made of that much at least. */
export const arrivalsMs = 600_000;
const enoughMs = 120_000;
/** What is given as the number of newcomers covers so much. */
const latelyMs = 180_000;
const groupsMost = 6;

export interface Arrivals {
  /** Newcomers a minute, over the last three minutes. */
  readonly perMinute: number;
  /**
   * The rate between which half of the last ten minutes lie, so that neither a rush at the doors nor a quiet moment moves a forecast;
   * null where the room has been open for too short a time.
   */
  readonly usual: readonly [fewest: number, most: number] | null;
}

/** @param steps the last ones, of equal length, of `arrivalsMs` at most */
export function arrivalsOf(steps: readonly StatisticsStep[], stepMs: number): Arrivals {
  const lately = steps.slice(-Math.ceil(latelyMs / stepMs));
  // People who came before the doors opened say nothing of those who still come.
  const open = steps.filter(({ isComplete, gauges }) => isComplete && gauges?.phase === "open");
  if (open.length * stepMs < enoughMs) return { perMinute: rateOf(lately), usual: null };
  const size = Math.ceil(open.length / groupsMost);
  const rates: number[] = [];
  for (let end = open.length; end >= size; end -= size) rates.push(rateOf(open.slice(end - size, end)));
  rates.sort((a, b) => a - b);
  return { perMinute: rateOf(lately), usual: [quantile(rates, 0.25), quantile(rates, 0.75)] };
}

function rateOf(steps: readonly StatisticsStep[]): number {
  const recordedMs = steps.reduce((sum, step) => sum + step.recordedMs, 0);
  const arrivals = steps.reduce((sum, step) => sum + (step.counts?.joined ?? 0), 0);
  return recordedMs === 0 ? 0 : (arrivals * 60_000) / recordedMs;
}

/** Between two of the sorted values. */
function quantile(sorted: readonly number[], share: number): number {
  const at = share * (sorted.length - 1);
  const [below = 0, above = below] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return below + (above - below) * (at - Math.floor(at));
}
