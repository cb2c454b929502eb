import type { AdaptiveDecision, AdaptiveReason } from "../contract/room-store.ts";

/** What an `adaptive` inlet goes by. Times are on the flow clock where nothing else is said. */
export interface AdaptiveData {
  /** 0 before the first decision: that of the settings' start. */
  rate: number;
  /** When the interval began; 0 before the first. */
  sinceMs: number;
  decreasedMs: number;
  raisedMs: number;
  /** The rate before the last decrease, or row of them: more than the site bore. 0 before there was one. */
  strainedRate: number;
  /** Since when the rate has been at the floor; 0 when it is not. */
  floorMs: number;
  /** Latencies of the interval, in milliseconds. */
  probes: number[];
  reports: number[];
  errorSum: number;
  errorCount: number;
  /** Reports of any kind in the interval. */
  heard: number;
  /** Probes, and those of them that failed, the older the less. */
  tried: number;
  failed: number;
  probedMs: number;
  /** When the last interval ended that told anything, and any latency. */
  dataMs: number;
  measuredMs: number;
  /** Smoothed; and by how much it changes in an interval. */
  latencyMs: number | null;
  trendMs: number;
  errorRate: number | null;
  baselineMs: number | null;
  /** Admissions of the interval, and before it, the older the less; what the rate would have let in; in how long. */
  admittedNow: number;
  admitted: number;
  expected: number;
  spanMs: number;
  decision: AdaptiveDecision;
  reason: AdaptiveReason;
  /** Now. */
  decidedMs: number;
}

/** @param known what outlives a beginning */
export function createAdaptive(known: Partial<Pick<AdaptiveData, "rate" | "baselineMs">> = {}): AdaptiveData {
  return {
    rate: 0,
    sinceMs: 0,
    decreasedMs: 0,
    raisedMs: 0,
    strainedRate: 0,
    floorMs: 0,
    probes: [],
    reports: [],
    errorSum: 0,
    errorCount: 0,
    heard: 0,
    tried: 0,
    failed: 0,
    probedMs: 0,
    dataMs: 0,
    measuredMs: 0,
    latencyMs: null,
    trendMs: 0,
    errorRate: null,
    baselineMs: null,
    admittedNow: 0,
    admitted: 0,
    expected: 0,
    spanMs: 0,
    decision: "hold",
    reason: "no_data",
    decidedMs: 0,
    ...known,
  };
}
