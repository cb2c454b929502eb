/**
 * The inlet `adaptive` is `periodic` by a rate that it decides on once an interval of the flow clock, by what was reported of the site's
 * load. docs/flow.md has the table of decisions. The limiter's log counts against the limit, the pacing goes by the rate: so a lower rate
 * is in force at once, and nobody waits for what was admitted before it. Visitors are a load for as long as they stay: what was
 * changed shows late, so a latency that is on its way by itself changes nothing.
 */
import type { AdaptiveReason, AdaptiveState } from "../../store/contract/room-state.ts";
import { isInletOn, isOnHold, peopleWaiting } from "../clocks.ts";
import { hasHold, phaseOf } from "../holds.ts";
import { latestTat } from "../limiter.ts";
import { sizeOf } from "../ports/scored-set.ts";
import type { Room } from "../room.ts";
import { decreaseRate, deepestCut, isStale, recordDecision, takeSamples, targetLatency } from "./load.ts";
import { isAdaptive, ratePerMinute } from "./rate.ts";

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
