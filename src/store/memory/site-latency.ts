/** How the latency of a protected site is measured: how it moves, what it usually is, and what is to be kept. */
import type { AdaptiveData } from "./adaptive-data.ts";

/** Each interval's latency counts by this part. */
const smoothing = 0.5;
/** And its change by this one, since a difference is the more uncertain. */
const trendSmoothing = 0.3;
/** The baseline goes down by this part of the difference at once, and up so slowly, and only while the site has hardly any load. */
const downwards = 0.25;
const upwardsMs = 300_000;

/** The upper median; of a list that is not empty. */
export function median(samples: readonly number[]): number {
  return samples.toSorted((a, b) => a - b)[Math.floor(samples.length / 2)] ?? 0;
}

/** Takes in an interval's latency. @param isAnew where what was known before is stale */
export function followLatency(adaptive: AdaptiveData, latencyMs: number, isAnew: boolean): void {
  const before = isAnew ? null : adaptive.latencyMs;
  if (before === null) {
    adaptive.latencyMs = latencyMs;
    adaptive.trendMs = 0;
    return;
  }
  const changeMs = smoothing * (latencyMs - before);
  adaptive.latencyMs = before + changeMs;
  adaptive.trendMs += trendSmoothing * (changeMs - adaptive.trendMs);
}

/**
 * What the site takes when it has little to do. Under load the control itself holds the latency at a multiple of it, so that
 * nothing is learnt then but that it can be faster.
 */
export function followBaseline(adaptive: AdaptiveData, latencyMs: number, spanMs: number, isQuiet: boolean): void {
  const { baselineMs } = adaptive;
  if (baselineMs === null) adaptive.baselineMs = latencyMs;
  else if (latencyMs < baselineMs) adaptive.baselineMs = baselineMs + downwards * (latencyMs - baselineMs);
  else if (isQuiet) adaptive.baselineMs = baselineMs + Math.min(1, spanMs / upwardsMs) * (latencyMs - baselineMs);
}

/** The lower of the target in milliseconds and the multiple of the baseline; null while neither is known. */
export function targetLatency(
  { latencyMs, timesBaseline }: { latencyMs: number | null; timesBaseline: number | null },
  baselineMs: number | null,
): number | null {
  const relative = timesBaseline === null || baselineMs === null ? null : timesBaseline * baselineMs;
  if (latencyMs === null || relative === null) return latencyMs ?? relative;
  return Math.min(latencyMs, relative);
}
