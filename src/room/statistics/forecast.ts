/** Predicts how a line develops from the joins of the last minutes. */
import type { RoomState } from "../../store/contract/room-store.ts";
import { estimateWait, type PaceNote, paceJson, paceOf, peopleWaiting, type WaitEstimate } from "../line.ts";
import { roundedWait, type Wait, waitOf } from "../public-status/pacing.ts";
import type { PaceJson } from "../public-status/status.ts";
import type { StatisticsStep } from "./room-statistics.ts";

/** The forecast of a line. */
export interface Forecast {
  readonly waiting: number;
  /** Newcomers a minute, over the last three minutes. */
  readonly arrivalsPerMinute: number;
  /** Visitors let in from the line per minute; null if unknown. */
  readonly admissionsPerMinute: number | null;
  /** Seconds until it is the turn of the last visitor waiting now, as that visitor's page says. Null if unknown. */
  readonly waitOfLast: WaitEstimate | null;
  /**
   * Seconds until nobody waits any more, with those who come meanwhile. Null where that is not known, or not yet; an end that is null is
   * none in a week.
   */
  readonly lineEnds: { readonly low: number | null; readonly high: number | null } | null;
  readonly note: PaceNote;
}

/** The horizon of the forecast, in seconds. */
const horizonSec = 7 * 86_400;
const roundsMost = 1_000;

/**
 * When the line ends as it moves now, or if it moved by another limit. The rule is that of visitors' estimates: the last visitor of the
 * line reads `waitOfLast`.
 *
 * @param outflowPerMinute what if the room let in so many a minute; null: as it is
 */
export function forecast(state: RoomState, arrivals: Arrivals, outflowPerMinute: number | null = null): Forecast {
  const planned = outflowPerMinute === null ? state : atOutflow(state, outflowPerMinute);
  const waiting = peopleWaiting(planned);
  const pace = paceOf(planned);
  const { note, placesPerMinute } = pace;
  const isPredictable = planned.phase === "open" && placesPerMinute !== null;
  const admissionsPerMinute = isPredictable ? placesPerMinute * planned.enteringShare : null;
  const common = { waiting, arrivalsPerMinute: arrivals.perMinute, admissionsPerMinute, note };
  if (waiting === 0) return { ...common, waitOfLast: nobody, lineEnds: nobody };
  const { usual } = arrivals;
  return {
    ...common,
    waitOfLast: estimateWait(planned, waiting - 1),
    lineEnds: isPredictable && usual !== null ? lineEnds(paceJson(pace), waiting, usual) : null,
  };
}

const nobody = { low: 0, high: 0 };

/** At the earliest, with the fewest newcomers and the fastest line; and at the latest. */
function lineEnds(pace: PaceJson, waiting: number, [fewest, most]: readonly [number, number]): Forecast["lineEnds"] {
  const low = endSec(pace, waiting, fewest, ([low]) => low);
  if (low === null) return { low: null, high: null };
  const high = endSec(pace, waiting, most, ([, high]) => high);
  const rounded = roundedWait([low, high ?? low]);
  return rounded && { low: rounded[0], high: high === null ? null : rounded[1] };
}

/**
 * Seconds until everybody has been served who waits at the start or joins until then: each round adds those who join while the previous
 * round is served. Null if that takes longer than a week.
 */
function endSec(
  pace: PaceJson,
  waiting: number,
  arrivalsPerMinute: number,
  end: (wait: Wait) => number,
): number | null {
  let sec = 0;
  for (let round = 0; round < roundsMost; round++) {
    const wait = waitOf(pace, waiting + (arrivalsPerMinute * sec) / 60);
    const next = wait === null ? horizonSec : end(wait);
    if (next - sec < 1) return next;
    if (round > 0 && next >= horizonSec) return null;
    sec = next;
  }
  return null;
}

/**
 * The state at another outflow, which an operator has just set: measurements at the old one do not apply to it. Assumes that a shared
 * limit leaves the room this much, and that a manual inlet is moved at this pace.
 */
function atOutflow(state: RoomState, outflowPerMinute: number): RoomState {
  const { effective } = state.settings;
  const { inlet } = effective;
  const planned = { ...inlet, outflowPerMinute, ...(inlet.type === "manual" && { type: "periodic" as const }) };
  return {
    ...state,
    settings: { ...state.settings, effective: { ...effective, inlet: planned } },
    planLimitPerMinute: outflowPerMinute,
    progress: { ...state.progress, spanMs: 0, served: 0, entered: 0 },
  };
}

/** How far a forecast looks back, and the least it needs. */
export const arrivalsMs = 600_000;
const enoughMs = 120_000;
/** The time that the reported number of joins covers. */
const recentMs = 180_000;
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
  const recent = steps.slice(-Math.ceil(recentMs / stepMs));
  // Arrivals before the doors opened do not predict later ones.
  const open = steps.filter(({ isComplete, gauges }) => isComplete && gauges?.phase === "open");
  if (open.length * stepMs < enoughMs) return { perMinute: rateOf(recent), usual: null };
  const size = Math.ceil(open.length / groupsMost);
  const rates: number[] = [];
  for (let end = open.length; end >= size; end -= size) rates.push(rateOf(open.slice(end - size, end)));
  rates.sort((a, b) => a - b);
  return { perMinute: rateOf(recent), usual: [quantile(rates, 0.25), quantile(rates, 0.75)] };
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
