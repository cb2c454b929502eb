import type { RoomState } from "../../store/contract/room-store.ts";
import { peopleWaiting } from "../line.ts";
import { roundedWait, type Wait, waitOf } from "../public-status/estimate.ts";
import type { PaceJson } from "../public-status/status.ts";
import { estimateWait, type PaceNote, paceJson, paceOf, type WaitEstimate } from "../visitor/pace.ts";
import type { Arrivals } from "./arrivals.ts";

/** How a line goes on. */
export interface Forecast {
  readonly waiting: number;
  /** Newcomers a minute, over the last three minutes. */
  readonly arrivalsPerMinute: number;
  /** Visitors of the line who are let in a minute; null where nothing is known. */
  readonly admissionsPerMinute: number | null;
  /** Seconds until the last of those who wait now has their turn: what that visitor is told. Null where that is not known. */
  readonly waitOfLast: WaitEstimate | null;
  /**
   * Seconds until nobody waits any more, with those who come meanwhile. Null where that is not known, or not yet; an end that is null is
   * none in a week.
   */
  readonly lineEnds: { readonly low: number | null; readonly high: number | null } | null;
  readonly note: PaceNote;
}

/** Beyond so long nothing is foreseen, in seconds. */
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
  const isKnown = planned.phase === "open" && placesPerMinute !== null;
  const admissionsPerMinute = isKnown ? placesPerMinute * planned.enteringShare : null;
  const common = { waiting, arrivalsPerMinute: arrivals.perMinute, admissionsPerMinute, note };
  if (waiting === 0) return { ...common, waitOfLast: nobody, lineEnds: nobody };
  const { usual } = arrivals;
  return {
    ...common,
    waitOfLast: estimateWait(planned, waiting - 1),
    lineEnds: isKnown && usual !== null ? lineEnds(paceJson(pace), waiting, usual) : null,
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
 * Seconds until the line has moved over all who waited at the beginning and all who came until then: each round adds those who
 * come while the round before it is served. Null where newcomers make it longer than a week.
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
 * The state as it would be at another outflow, which an operator has just set: what was measured at the old one says nothing of it. A
 * shared limit is taken to leave the room so much; an inlet by hand is taken to be moved at that pace.
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
