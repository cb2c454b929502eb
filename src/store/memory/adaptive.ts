import { latestTat } from "../../core/limiter.ts";
import type { RoomState } from "../contract/room-store.ts";
import type { AdaptiveData } from "./adaptive-data.ts";
import { isHeld, isInletOn, peopleWaiting } from "./clocks.ts";
import type { RoomData } from "./data.ts";
import { decrease, deepestCut, type Heard, isStale, note, takeSamples } from "./load.ts";
import { phaseOf } from "./phases.ts";
import { adaptiveSettings, isAdaptive, ratePerMinute } from "./rate.ts";
import { targetLatency } from "./site-latency.ts";

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
export function adapt(room: RoomData): void {
  if (!isAdaptive(room)) return;
  const { adaptive } = room;
  const own = adaptiveSettings(room.settings.effective.inlet);
  const rate = ratePerMinute(room) ?? own.limit;
  adaptive.rate = rate;
  if (adaptive.sinceMs === 0) adaptive.sinceMs = room.flowMs;
  const spanMs = room.flowMs - adaptive.sinceMs;
  if (spanMs < own.everyMs) return;
  adaptive.sinceMs = room.flowMs;
  const isMoving = phaseOf(room) === "open" && !isHeld(room) && isInletOn(room);
  adaptive.spanMs = isMoving ? adaptive.spanMs * useDecay + spanMs : 0;
  adaptive.expected = isMoving ? adaptive.expected * useDecay + (rate * spanMs) / 60_000 : 0;
  adaptive.admitted = isMoving ? adaptive.admitted * useDecay + adaptive.admittedNow : 0;
  adaptive.admittedNow = 0;
  if (rate > own.floor) adaptive.floorMs = 0;
  else if (adaptive.floorMs === 0) adaptive.floorMs = room.flowMs;
  const heard = takeSamples(room, spanMs);
  const verdict = isMoving
    ? decideBy(room, rate, heard)
    : hold(room.holds.includes("signal") ? "signal_off" : "not_open");
  if (verdict !== null) note(room, ...verdict);
}

function decideBy(room: RoomData, rate: number, heard: Heard): Verdict | null {
  return heard === "nothing" ? goWithoutData(room, rate) : decide(room, rate, heard === "latency");
}

type Verdict = readonly [decision: AdaptiveData["decision"], reason: AdaptiveData["reason"]];

const hold = (reason: AdaptiveData["reason"]): Verdict => ["hold", reason];

/**
 * Null where the last decision stands.
 *
 * @param isMeasured whether the interval told a latency: one that was told before is not judged once more
 */
function decide(room: RoomData, rate: number, isMeasured: boolean): Verdict | null {
  const { adaptive } = room;
  const own = adaptiveSettings(room.settings.effective.inlet);
  const target = targetLatency(own, adaptive.baselineMs) ?? Number.POSITIVE_INFINITY;
  // Where only a signal is given, `on` says that all is well.
  const latencyMs = adaptive.latencyMs ?? 0;
  const aheadMs = adaptive.latencyMs === null ? 0 : latencyMs + aheadIntervals * adaptive.trendMs;
  const hasErrors = adaptive.errorRate !== null && adaptive.errorRate > own.errorRate;
  const isSettling = adaptive.decreasedMs > 0 && room.flowMs - adaptive.decreasedMs < settlingIntervals * own.everyMs;
  if (!hasErrors && adaptive.latencyMs !== null && !isMeasured) return null;
  if (hasErrors || latencyMs > upperBand * target) {
    if (rate <= own.floor) return hold("at_floor");
    if (isSettling || (!hasErrors && aheadMs < target)) return hold("settling");
    const risingMs = latencyMs + Math.max(0, cutAheadIntervals * adaptive.trendMs);
    decrease(room, hasErrors ? deepestCut : Math.max(deepestCut, Math.sqrt(target / risingMs)));
    return ["decrease", hasErrors ? "errors" : "above_target"];
  }
  if (latencyMs >= lowerBand * target) return hold("on_target");
  if (rate >= own.limit) return hold("at_limit");
  if (!isUsed(room)) return hold("unused");
  if (isSettling || aheadMs > target) return hold("settling");
  increase(room, mostMore(room, rate) * Math.min(1, 2 - (2 * Math.max(latencyMs, aheadMs)) / target));
  return ["increase", "below_target"];
}

/** By how much the rate may rise at once. */
function mostMore({ adaptive: { strainedRate }, settings }: RoomData, rate: number): number {
  const { step } = adaptiveSettings(settings.effective.inlet);
  if (strainedRate === 0) return step;
  const part = Math.max(leastIncrease * rate, strainedPart * Math.abs(rate - strainedRate));
  return Math.min(step, part, mostIncrease * Math.max(rate, strainedRate));
}

function increase(room: RoomData, by: number): void {
  const { limit } = adaptiveSettings(room.settings.effective.inlet);
  const rate = Math.min(limit, (ratePerMinute(room) ?? limit) + Math.max(1, Math.floor(by)));
  room.adaptive.rate = rate;
  room.adaptive.raisedMs = room.flowMs;
  // It counts from now on, not from the slot that the old pace had reached.
  room.tatMs = Math.min(room.tatMs, latestTat(limit, room.flowMs, rate));
}

/** A rate that nobody makes use of proves nothing. */
function isUsed(room: RoomData): boolean {
  const isWanted = peopleWaiting(room) > 0 || room.knocks.order.length > 0;
  // One more than there were: a slot may come just after the interval.
  return isWanted && room.adaptive.admitted + 1 >= usedFrom * room.adaptive.expected;
}

/** What is not known neither opens the site nor closes it: the rate goes back to where it would begin, and stays. */
function goWithoutData(room: RoomData, rate: number): Verdict | null {
  const own = adaptiveSettings(room.settings.effective.inlet);
  if (!isStale(room, room.adaptive.dataMs)) return null;
  room.adaptive.rate = Math.min(rate, Math.max(own.start, rate - own.step));
  return [room.adaptive.rate < rate ? "decrease" : "hold", "no_data"];
}

/** What is told of it; of another inlet nothing. */
export function adaptiveState(room: RoomData): Pick<RoomState, "adaptive"> {
  if (!isAdaptive(room)) return {};
  const { latencyMs, baselineMs, errorRate, decision, reason, decidedMs, probedMs } = room.adaptive;
  const own = adaptiveSettings(room.settings.effective.inlet);
  const rate = ratePerMinute(room) ?? own.limit;
  const targetMs = targetLatency(own, baselineMs);
  return {
    adaptive: {
      ratePerMinute: rate,
      targetMs,
      latencyMs,
      baselineMs,
      errorRate,
      decision,
      reason,
      decidedMs,
      probedMs,
    },
  };
}
