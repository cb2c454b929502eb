/**
 * The inlet `adaptive` is `periodic` with a rate of its own. Once per interval of the flow clock it decides on that rate by what was reported
 * of the site's load; docs/flow.md has the table of decisions. Admissions are counted against the limit, and paced by the rate. A lower rate
 * therefore takes effect at once, and nobody waits because of earlier admissions. Visitors load the site for as long as they stay, so a change
 * of the rate shows late in the latency: while the latency is still moving towards its target, the rate stays.
 */

import type { AdaptiveDecision, AdaptiveReason, AdaptiveState, LoadReport } from "../store/contract/room-state.ts";
import { hasHold, isInletOn, isOnHold, peopleWaiting, phaseOf, setHold } from "./holds.ts";
import { latestTat } from "./limiter.ts";
import { sortBy } from "./ports/lists.ts";
import { sizeOf } from "./ports/sets.ts";
import { createAdaptive, type Room } from "./room.ts";
import type { Sample } from "./rows.ts";

export function isAdaptive(room: Room): boolean {
  return room.inletType === "adaptive" && room.limit !== null;
}

/** What the room lets in by a minute now: the rate in force of an `adaptive` inlet, else the room's own limit; null for none. */
export function ratePerMinute(room: Room): number | null {
  if (room.limit === null || !isAdaptive(room)) return room.limit;
  if (room.adaptive.rate === 0) return room.rateStart;
  return Math.min(room.limit, Math.max(room.rateFloor, room.adaptive.rate));
}

/** Whatever was gathered and decided is void, but for the rate and the baseline that are given. */
export function resetAdaptive(room: Room, rate: number, baselineMs: number | null): void {
  if (room.adaptive.rate !== rate) room.adaptive.rate = rate;
  if (room.adaptive.baselineMs !== baselineMs) room.adaptive.baselineMs = baselineMs;
  if (room.adaptive.sinceMs === 0 && room.adaptive.reported === 0 && room.adaptive.admittedNow === 0) return;
  Object.assign(room.adaptive, createAdaptive());
  room.adaptive.rate = rate;
  room.adaptive.baselineMs = baselineMs;
}

// The inlet `adaptive` is `periodic` by a rate that it decides on once an interval of the flow clock, by what was reported of the site's
// load. docs/flow.md has the table of decisions. The limiter's log counts against the limit, the pacing goes by the rate: so a lower rate
// is in force at once, and nobody waits for what was admitted before it. Visitors are a load for as long as they stay: what was
// changed shows late, so a latency that is on its way by itself changes nothing.

/** Within this band around the target nothing is changed. */
const upperBand = 1.1;
const lowerBand = 0.9;
/** After a decrease nothing is changed for so many intervals: its effect is to be seen first. */
const settlingIntervals = 3;
/** Nor while the latency is on its way: at its trend it would be at the target in so many intervals. */
const aheadIntervals = 10;
/** How deep a cut is goes by the latency so many intervals ahead, where it rises: the first of them that show it come late. */
const cutAheadIntervals = 2;
/**
 * Once a rate was too much for the site, an increase is this part of the distance to it: careful near it, and quicker again where
 * the site turns out to bear more. At least so much of the rate, and at most so much of the higher of both.
 */
const strainedPart = 0.4;
const leastIncrease = 0.01;
const mostIncrease = 0.05;
/** A rate counts as used from this part of it on; what was used counts the less the older it is, by that each interval. */
const usedFrom = 0.8;
const useDecay = 0.8;

/** Decides on the rate once an interval of the flow clock, however many call. */
export function adaptRate(room: Room): void {
  const rate = ratePerMinute(room);
  if (rate === null || !isAdaptive(room)) return;
  if (room.adaptive.rate !== rate) room.adaptive.rate = rate;
  if (room.adaptive.sinceMs === 0) room.adaptive.sinceMs = room.flowMs;
  const spanMs = room.flowMs - room.adaptive.sinceMs;
  if (spanMs < room.decideEveryMs) return;
  room.adaptive.sinceMs = room.flowMs;
  const isMoving = phaseOf(room) === "open" && !isOnHold(room) && isInletOn(room);
  room.adaptive.spanMs = isMoving ? room.adaptive.spanMs * useDecay + spanMs : 0;
  room.adaptive.expected = isMoving ? room.adaptive.expected * useDecay + (rate * spanMs) / 60_000 : 0;
  room.adaptive.admitted = isMoving ? room.adaptive.admitted * useDecay + room.adaptive.admittedNow : 0;
  room.adaptive.admittedNow = 0;
  if (rate > room.rateFloor) room.adaptive.floorMs = 0;
  else if (room.adaptive.floorMs === 0) room.adaptive.floorMs = room.flowMs;
  const reported = takeSamples(room, spanMs);
  if (!isMoving) recordDecision(room, "hold", hasHold(room, "signal") ? "signal_off" : "not_open");
  else if (reported === "nothing") goWithoutData(room, rate);
  else decideRate(room, rate, reported === "latency");
}

function holdRate(room: Room, reason: AdaptiveReason): void {
  recordDecision(room, "hold", reason);
}

/** @param isMeasured whether the interval has a latency: one that was known before is not judged once more */
function decideRate(room: Room, rate: number, isMeasured: boolean): void {
  const smoothedMs = room.adaptive.latencyMs;
  const hasErrors = room.adaptive.errorRate !== null && room.adaptive.errorRate > room.errorLimit;
  if (!hasErrors && smoothedMs !== null && !isMeasured) return;
  // Where only a signal is given, `on` says that all is well.
  const latencyMs = smoothedMs ?? 0;
  const aheadMs = smoothedMs === null ? 0 : latencyMs + aheadIntervals * room.adaptive.trendMs;
  const target = targetLatency(room);
  if (hasErrors || (target !== null && latencyMs > upperBand * target)) decideDecrease(room, rate, hasErrors, aheadMs);
  else if (target !== null && latencyMs >= lowerBand * target) holdRate(room, "on_target");
  else if (room.limit !== null && rate >= room.limit) holdRate(room, "at_limit");
  else if (!isRateUsed(room)) holdRate(room, "unused");
  else if (isSettling(room) || (target !== null && aheadMs > target)) holdRate(room, "settling");
  else {
    const part = target === null ? 2 : 2 - (2 * Math.max(latencyMs, aheadMs)) / target;
    increaseRate(room, rate, mostMore(room, rate) * Math.min(1, part));
    recordDecision(room, "increase", "below_target");
  }
}

function isSettling(room: Room): boolean {
  if (room.adaptive.decreasedMs === 0) return false;
  return room.flowMs - room.adaptive.decreasedMs < settlingIntervals * room.decideEveryMs;
}

function decideDecrease(room: Room, rate: number, hasErrors: boolean, aheadMs: number): void {
  const target = targetLatency(room) ?? 0;
  if (rate <= room.rateFloor) holdRate(room, "at_floor");
  else if (isSettling(room) || (!hasErrors && aheadMs < target)) holdRate(room, "settling");
  else if (hasErrors) {
    decreaseRate(room, deepestCut);
    recordDecision(room, "decrease", "errors");
  } else {
    const risingMs = (room.adaptive.latencyMs ?? 0) + Math.max(0, cutAheadIntervals * room.adaptive.trendMs);
    decreaseRate(room, Math.max(deepestCut, Math.sqrt(target / risingMs)));
    recordDecision(room, "decrease", "above_target");
  }
}

/** By how much the rate may rise at once. */
function mostMore(room: Room, rate: number): number {
  const strained = room.adaptive.strainedRate;
  if (strained === 0) return room.rateStep;
  const part = Math.max(leastIncrease * rate, strainedPart * Math.abs(rate - strained));
  return Math.min(room.rateStep, part, mostIncrease * Math.max(rate, strained));
}

function increaseRate(room: Room, before: number, by: number): void {
  if (room.limit === null) return;
  const rate = Math.min(room.limit, before + Math.max(1, Math.floor(by)));
  room.adaptive.rate = rate;
  room.adaptive.raisedMs = room.flowMs;
  // It counts from now on, not from the slot that the old pace had reached.
  room.tatMs = Math.min(room.tatMs, latestTat(room.limit, room.flowMs, rate));
}

/** A rate that nobody makes use of proves nothing. */
function isRateUsed(room: Room): boolean {
  if (peopleWaiting(room) === 0 && sizeOf(room.pendingClaims) === 0) return false;
  // One more than there were: a slot may come just after the interval.
  return room.adaptive.admitted + 1 >= usedFrom * room.adaptive.expected;
}

/** What is not known neither opens the site nor closes it: the rate goes back to where it would begin, and stays. */
function goWithoutData(room: Room, rate: number): void {
  if (!isStale(room, room.adaptive.dataMs)) return;
  const next = Math.min(rate, Math.max(room.rateStart, rate - room.rateStep));
  room.adaptive.rate = next;
  recordDecision(room, next < rate ? "decrease" : "hold", "no_data");
}

/** What is reported of it; null of another inlet. */
export function adaptiveState(room: Room): AdaptiveState | null {
  const rate = ratePerMinute(room);
  if (rate === null || !isAdaptive(room)) return null;
  return {
    ratePerMinute: rate,
    targetMs: targetLatency(room),
    latencyMs: room.adaptive.latencyMs,
    baselineMs: room.adaptive.baselineMs,
    errorRate: room.adaptive.errorRate,
    decision: room.adaptive.decision,
    reason: room.adaptive.reason,
    decidedMs: room.adaptive.decidedMs,
    probedMs: room.adaptive.probedMs,
  };
}

// What is reported of a site's load, and what becomes of it in an interval.

/** A decrease is no deeper than to this part. */
const deepestCut = 0.7;
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

function decreaseRate(room: Room, factor: number): void {
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

function recordDecision(room: Room, decision: AdaptiveDecision, reason: AdaptiveReason): void {
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
type Reported = "latency" | "others" | "nothing";

/** Takes in what was reported in the interval, and begins the next one. */
function takeSamples(room: Room, spanMs: number): Reported {
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
  const hasLittleLoad = room.adaptive.admitted * 60_000 <= room.rateFloor * room.adaptive.spanMs;
  const isLongAtFloor = room.adaptive.floorMs > 0 && room.flowMs - room.adaptive.floorMs >= longAtFloorMs;
  followBaseline(room, latencyMs, spanMs, hasLittleLoad || isLongAtFloor);
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
function followBaseline(room: Room, latencyMs: number, spanMs: number, mayRise: boolean): void {
  const baselineMs = room.adaptive.baselineMs;
  if (baselineMs === null) room.adaptive.baselineMs = latencyMs;
  else if (latencyMs < baselineMs) room.adaptive.baselineMs = baselineMs + downwards * (latencyMs - baselineMs);
  else if (mayRise) room.adaptive.baselineMs = baselineMs + Math.min(1, spanMs / upwardsMs) * (latencyMs - baselineMs);
}

/** The lower of the target in milliseconds and the multiple of the baseline; null while neither is known. */
function targetLatency(room: Room): number | null {
  if (room.targetTimes === null || room.adaptive.baselineMs === null) return room.targetMs;
  const relative = room.targetTimes * room.adaptive.baselineMs;
  return room.targetMs === null ? relative : Math.min(relative, room.targetMs);
}

/** Whether what was reported at this time of the flow clock counts no more. */
function isStale(room: Room, reportedMs: number): boolean {
  return room.flowMs - reportedMs > Math.max(staleAfterMs, staleIntervals * room.decideEveryMs);
}

/** The worse of what was probed lately and what was reported; null for neither. */
function errorsReported(room: Room): number | null {
  if (room.adaptive.tried === 0 && room.adaptive.errorCount === 0) return null;
  const probed = room.adaptive.failed < fewestFailures ? 0 : room.adaptive.failed / room.adaptive.tried;
  const reported = room.adaptive.errorCount === 0 ? 0 : room.adaptive.errorSum / room.adaptive.errorCount;
  return Math.max(probed, reported);
}
