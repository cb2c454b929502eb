/** What is reported of a site's load, and what becomes of it in an interval. */
import type { AdaptiveDecision, AdaptiveReason } from "../../store/contract/room-state.ts";
import type { LoadReport } from "../../store/contract/room-steps.ts";
import { hasHold, setHold } from "../holds.ts";
import { sortBy } from "../ports/sorting.ts";
import type { Room } from "../room.ts";
import type { Sample } from "../rows.ts";
import { isAdaptive, ratePerMinute } from "./rate.ts";

/** A decrease is no deeper than to this part. */
export const deepestCut = 0.7;
/** Probes count the less the older they are, by this each interval; fewer than two failures are chance. */
const probeDecay = 0.9;
const fewestFailures = 1.5;
/** Without data for so many intervals, and so long, what was reported is stale. */
const staleIntervals = 12;
const staleAfterMs = 120_000;
/** So long at the floor, the site's latency is none of the line's making. */
const longAtFloorMs = 60_000;
/** Of each kind in an interval; more say no more. */
const maxSamples = 100;
/** Each interval's latency counts by this part. */
const smoothing = 0.5;
/** And its change by this one, since a difference is the more uncertain. */
const trendSmoothing = 0.3;
/** The baseline goes down by this part of the difference at once, and up so slowly, and only while the site has hardly any load. */
const downwards = 0.25;
const upwardsMs = 300_000;

/** What one process probed, or the site reported. */
export function reportLoad(room: Room, report: LoadReport): void {
  if (!isAdaptive(room)) return;
  if (report.source === "probe") reportProbe(room, report.latencyMs);
  else reportSite(room, report.latencyMs, report.errorRate, report.signal);
}

/** Null where the probe failed. */
function reportProbe(room: Room, latencyMs: number | null): void {
  room.adaptive.reported++;
  room.adaptive.probedMs = room.flowMs;
  room.adaptive.tried++;
  if (latencyMs === null) room.adaptive.failed++;
  else if (room.adaptive.probes.length < maxSamples) {
    room.adaptive.probes = withSample(room.adaptive.probes, latencyMs);
  }
}

/** Null for each that the site said nothing of. `off` holds the line. */
function reportSite(room: Room, latencyMs: number | null, errorRate: number | null, signal: "on" | "off" | null): void {
  room.adaptive.reported++;
  if (latencyMs !== null && room.adaptive.reports.length < maxSamples) {
    room.adaptive.reports = withSample(room.adaptive.reports, latencyMs);
  }
  if (errorRate !== null) {
    room.adaptive.errorSum += errorRate;
    room.adaptive.errorCount++;
  }
  if (signal !== null) takeSignal(room, signal === "off");
}

function withSample(samples: Sample[], ms: number): Sample[] {
  samples.push({ ms });
  return samples;
}

/** When the signal comes anew, the rate is cut: the site could not bear it. */
function takeSignal(room: Room, isOff: boolean): void {
  const isNew = isOff && !hasHold(room, "signal");
  setHold(room, "signal", isOff);
  if (!isNew) return;
  decreaseRate(room, deepestCut);
  recordDecision(room, "decrease", "signal_off");
}

export function decreaseRate(room: Room, factor: number): void {
  const rate = ratePerMinute(room) ?? room.rateFloor;
  // Cuts without an increase between them are one: the rate before the first is what was too much, if anybody came in by it.
  const isFirst = room.adaptive.raisedMs >= room.adaptive.decreasedMs;
  if (isFirst && room.adaptive.admitted + room.adaptive.admittedNow > 0) room.adaptive.strainedRate = rate;
  room.adaptive.rate = Math.max(room.rateFloor, Math.floor(rate * factor));
  room.adaptive.decreasedMs = room.flowMs;
  // What failed before is answered by this.
  room.adaptive.tried = 0;
  room.adaptive.failed = 0;
}

export function recordDecision(room: Room, decision: AdaptiveDecision, reason: AdaptiveReason): void {
  room.adaptive.decision = decision;
  room.adaptive.reason = reason;
  room.adaptive.decidedMs = room.atMs;
}

function isFaster(a: Sample, b: Sample): boolean {
  return a.ms < b.ms;
}

/** The upper median; null of none. */
function medianOf(samples: Sample[]): number | null {
  sortBy(samples, isFaster);
  const median = samples[Math.floor(samples.length / 2)];
  return median !== undefined ? median.ms : null;
}

/** What was reported in an interval. */
export type Reported = "latency" | "others" | "nothing";

/** Takes in what was reported in the interval, and begins the next one. */
export function takeSamples(room: Room, spanMs: number): Reported {
  if (room.adaptive.reported === 0) return "nothing";
  const probed = medianOf(room.adaptive.probes);
  const reported = medianOf(room.adaptive.reports);
  // Where a probe and the site itself report, the worse of both counts.
  const latencyMs = probed !== null && reported !== null ? Math.max(probed, reported) : (probed ?? reported);
  if (latencyMs !== null) takeLatency(room, latencyMs, spanMs);
  else if (isStale(room, room.adaptive.measuredMs)) room.adaptive.latencyMs = null;
  room.adaptive.errorRate = errorsReported(room);
  room.adaptive.tried *= probeDecay;
  room.adaptive.failed *= probeDecay;
  room.adaptive.probes = [];
  room.adaptive.reports = [];
  room.adaptive.errorSum = 0;
  room.adaptive.errorCount = 0;
  room.adaptive.reported = 0;
  room.adaptive.dataMs = room.flowMs;
  return latencyMs === null ? "others" : "latency";
}

function takeLatency(room: Room, latencyMs: number, spanMs: number): void {
  followLatency(room, latencyMs);
  room.adaptive.measuredMs = room.flowMs;
  const isQuiet = room.adaptive.admitted * 60_000 <= room.rateFloor * room.adaptive.spanMs;
  const isLongAtFloor = room.adaptive.floorMs > 0 && room.flowMs - room.adaptive.floorMs >= longAtFloorMs;
  followBaseline(room, latencyMs, spanMs, isQuiet || isLongAtFloor);
}

function followLatency(room: Room, latencyMs: number): void {
  const before = room.adaptive.latencyMs;
  if (before === null || isStale(room, room.adaptive.measuredMs)) {
    room.adaptive.latencyMs = latencyMs;
    room.adaptive.trendMs = 0;
    return;
  }
  const changeMs = smoothing * (latencyMs - before);
  room.adaptive.latencyMs = before + changeMs;
  room.adaptive.trendMs += trendSmoothing * (changeMs - room.adaptive.trendMs);
}

/**
 * What the site takes when it has little to do. Under load the control itself holds the latency at a multiple of it, so that
 * nothing is learnt then but that it can be faster.
 */
function followBaseline(room: Room, latencyMs: number, spanMs: number, isQuiet: boolean): void {
  const baselineMs = room.adaptive.baselineMs;
  if (baselineMs === null) room.adaptive.baselineMs = latencyMs;
  else if (latencyMs < baselineMs) room.adaptive.baselineMs = baselineMs + downwards * (latencyMs - baselineMs);
  else if (isQuiet) room.adaptive.baselineMs = baselineMs + Math.min(1, spanMs / upwardsMs) * (latencyMs - baselineMs);
}

/** The lower of the target in milliseconds and the multiple of the baseline; null while neither is known. */
export function targetLatency(room: Room): number | null {
  if (room.targetTimes === null || room.adaptive.baselineMs === null) return room.targetMs;
  const relative = room.targetTimes * room.adaptive.baselineMs;
  return room.targetMs === null ? relative : Math.min(relative, room.targetMs);
}

/** Whether what was reported at this time of the flow clock counts no more. */
export function isStale(room: Room, reportedMs: number): boolean {
  return room.flowMs - reportedMs > Math.max(staleAfterMs, staleIntervals * room.decideEveryMs);
}

/** The worse of what was probed lately and what was reported; null for neither. */
function errorsReported(room: Room): number | null {
  if (room.adaptive.tried === 0 && room.adaptive.errorCount === 0) return null;
  const probed = room.adaptive.failed < fewestFailures ? 0 : room.adaptive.failed / room.adaptive.tried;
  const reported = room.adaptive.errorCount === 0 ? 0 : room.adaptive.errorSum / room.adaptive.errorCount;
  return Math.max(probed, reported);
}
