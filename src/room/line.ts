/** What a synced state says of the line: who is ahead, what newcomers meet, how fast it moves, and so how long each visitor waits. */
import type { BasePhase, Gap, RoomState, Schedule } from "../store/contract/room-store.ts";
import { estimateWait as estimateAtPace, type Wait, waitOf } from "./public-status/pacing.ts";
import type { PaceJson } from "./public-status/status.ts";

/** People between the serving counter and a position; gaps hold nobody. */
export function peopleAhead(state: Pick<RoomState, "serving" | "gaps">, position: number): number {
  return Math.max(0, position - state.serving - 1 - gapBetween(state.gaps, state.serving, position));
}

/** People who hold a place above the serving counter; voided entries hold nobody. */
export function peopleWaiting(
  state: Pick<RoomState, "serving" | "queued" | "gaps"> & Partial<Pick<RoomState, "voidedEntries">>,
): number {
  return Math.max(0, peopleAhead(state, state.queued + 1) - (state.voidedEntries ?? 0));
}

/** Positions of gaps strictly between two positions. */
export function gapBetween(gaps: readonly Gap[], low: number, high: number): number {
  let sum = 0;
  for (const { from, to } of gaps) {
    sum += Math.max(0, Math.min(to, high - 1) - Math.max(from, low + 1) + 1);
  }
  return sum;
}

/**
 * What a visitor without a place meets: a `line` to join, a room that lets everybody `pass`, or one that is `closed`, before
 * its beginning or after its end.
 */
export type Entrance = "line" | "pass" | "closed";

export function entranceOf(state: RoomState | null): Entrance {
  if (state === null) return "line";
  const { phase, phaseReason, settings } = state;
  if (phase === "passthrough") return "pass";
  if (phase !== "idle" && phase !== "ended") return "line";
  // Sold out: the site has nothing for so many.
  if (phaseReason === "sold_out") return "closed";
  const { whenIdle, whenEnded } = settings.effective;
  return (phase === "idle" ? whenIdle : whenEnded) === "pass_through" ? "pass" : "closed";
}

/** The address to which visitors of a phase without a line are sent; null where they are not. */
export function redirectOf(state: Pick<RoomState, "phase" | "phaseReason" | "settings"> | null): string | null {
  if (state?.phase !== "idle" && state?.phase !== "ended") return null;
  // They read first that nothing is left.
  if (state.phaseReason === "sold_out") return null;
  const { whenIdle, whenEnded } = state.settings.effective;
  const behaviour = state.phase === "idle" ? whenIdle : whenEnded;
  return behaviour === "page" || behaviour === "pass_through" ? null : behaviour;
}

/** The phases in which each time of the schedule that is still to come will change something: it moves a room forward only. */
export const phasesBefore: { readonly [Time in keyof Schedule]: readonly BasePhase[] } = {
  prequeueAtMs: ["idle"],
  opensAtMs: ["idle", "prequeue"],
  endsAtMs: ["idle", "prequeue", "open"],
};

/** Why the pace is not what it was, or not what was planned. */
export type PaceNote = "limit_changed" | "slower" | null;

/** How fast the line moves, as far as it can be known: what every visitor's estimate is made of. */
export interface Pace {
  /**
   * How far the serving counter will have moved on so many seconds from now, as far as that can be foreseen; ascending. Between two
   * steps the line is taken to move evenly.
   */
  readonly steps: readonly { readonly sec: number; readonly places: number }[];
  /** Places a minute after the last step; null when nothing is known. */
  readonly placesPerMinute: number | null;
  /** The share of `placesPerMinute` at which the line moves at least, whoever comes: the limit's; 1 where none makes it faster. */
  readonly showRate: number;
  /** How much shorter the wait may be, as a fraction; and how much longer. */
  readonly spread: number;
  readonly spreadUp: number;
  /** Seconds for which nothing moves before that: the hold after a recovery, an inlet that starts later, a crowd ready to enter. */
  readonly extraSec: number;
  /** Visitors whose turn it is already and who may all enter before, beyond those that `extraSec` counts. */
  readonly called: number;
  readonly note: PaceNote;
}

/** A limit is kept more exactly than a measurement. */
const spreadOfLimit = 0.1;
/** Nothing is faster than the limit; but visitors who were absent may return, and go first. */
const spreadUpOfLimit = 0.03;
const spreadUpOfAbsent = 0.2;
const spreadUpOfCapacity = 0.1;
const spreadOfMeasure = 0.35;
/** Where an operator moves the line by hand. */
const spreadByHand = 0.5;
/** A measurement counts in full when it covers so much time, and by its share before. */
const fullMeasureMs = 180_000;
const minMeasureMs = 10_000;
/** Less of the planned pace than this is said to be slower. */
const slowerThan = 0.8;
/** So long a change of the limit is given as a reason. */
const changeVisibleMs = 60_000;
const minPerMinute = 0.5;
/** Memoised for each state: all visitors of one second need the same. */
const paces = new WeakMap<RoomState, Pace>();
const jsons = new WeakMap<Pace, Required<PaceJson>>();
/**
 * An inlet serves ahead at most what enters in this many milliseconds, and at least a few places where the limit is
 * low.
 */
const usualCrowdMs = 9_000;
const usualCrowdMin = 3;
/** Milliseconds for which `max_active` serves places in advance of room for them. */
const reserveMs = 10_000;
/** Seconds within which visitors enter once there is room. */
const fillSec = 5;

/**
 * The pace of a room. Where a limit binds, places move at the limit (of an `adaptive` inlet the rate in force) ÷ the share of served places whose visitors enter:
 * no-shows speed the line up (the lower end of an estimate counts on that, the upper end does not), and those who come late, and take outflow from the people behind the serving
 * counter, slow it down; both are in that one ratio. Those ready to enter come in before anybody else is served. With `max_active` places become free as admissions lapse, whose times
 * are known, and as people leave early, which is measured. Elsewhere the line moves as it was measured. Measures cover three
 * minutes in steps of ten seconds, so what is reported changes slowly, but for a change of the limit and a hold, which are
 * given as the reason.
 */
export function paceOf(state: RoomState): Pace {
  const cached = paces.get(state) ?? reckonPace(state);
  paces.set(state, cached);
  return cached;
}

function reckonPace(state: RoomState): Pace {
  const { inlet } = state.settings.effective;
  const common = {
    steps: [],
    showRate: 1,
    spreadUp: spreadOfMeasure,
    called: calledBeyond(state),
    extraSec: extraMs(state) / 1_000,
    note: changeNote(state),
  };
  if (inlet.type === "periodic" || inlet.type === "adaptive") return { ...common, ...paceByLimit(state, common.note) };
  if (inlet.type === "max_active") return { ...common, ...paceByCapacity(state) };
  const measured = paceByHand(state);
  const showRate = state.planLimitPerMinute === null ? 1 : state.enteringShare;
  return {
    ...common,
    showRate,
    placesPerMinute: measured >= minPerMinute ? measured : null,
    spread: spreadByHand,
    spreadUp: spreadByHand,
  };
}

/** An operator's steps; where a limit stands behind them, the visitors who come through it. */
function paceByHand(state: RoomState): number {
  const limit = state.planLimitPerMinute;
  if (limit === null) return measuredPace(state, "served");
  return Math.min(limit, measuredPace(state, "entered")) / state.enteringShare;
}

function paceByLimit(
  state: RoomState,
  note: PaceNote,
): Pick<Pace, "placesPerMinute" | "showRate" | "spread" | "spreadUp" | "note"> {
  const { inlet } = state.settings.effective;
  const limit = state.planLimitPerMinute;
  const isOver = inlet.endsAtMs !== null && inlet.endsAtMs <= state.nowMs;
  const { enteringShare } = state;
  const common = { showRate: enteringShare, spreadUp: spreadOfMeasure, note };
  if (limit === null || isOver) return { ...common, placesPerMinute: null, spread: spreadOfMeasure };
  const planned = limit / enteringShare;
  // After an operator has served many places, the inlet serves nobody until those have entered: the plan stays with the
  // visitors who enter.
  const measured = Math.max(measuredPace(state, "served"), measuredPace(state, "entered") / enteringShare);
  const { spanMs, entered } = state.progress;
  // A plan is believed until a whole measure says that the line does not keep to it; what was measured before the plan was made says little.
  const weight = Math.min(1, Math.min(spanMs, sinceChangeMs(state)) / fullMeasureMs);
  const share = spanMs < minMeasureMs ? 1 : 1 - weight + weight * (measured / planned);
  if (inlet.sharedOutflow !== null || inlet.type === "adaptive") {
    // A share is what others leave, and a rate what the site bears, which nobody can plan.
    const most = (inlet.sharedOutflow ?? inlet).outflowPerMinute ?? limit;
    const placesPerMinute = Math.min(most / enteringShare, planned * Math.max(share, slowerThan));
    // What comes on top of the plan may end at any moment.
    return {
      ...common,
      placesPerMinute,
      showRate: Math.min(enteringShare, limit / placesPerMinute),
      spread: spreadOfMeasure,
    };
  }
  // The estimate of the show rate is the better the more visitors have entered.
  const spread = spreadOfLimit + 0.2 / Math.sqrt(1 + entered / 10);
  const spreadUp = spreadUpOfLimit + spreadUpOfAbsent * (1 - enteringShare);
  if (share >= slowerThan) return { ...common, placesPerMinute: planned, spread, spreadUp };
  const placesPerMinute = Math.max(minPerMinute, planned * share);
  return { ...common, placesPerMinute, spread: spreadOfMeasure, note: note ?? "slower" };
}

function paceByCapacity(
  state: RoomState,
): Pick<Pace, "placesPerMinute" | "showRate" | "spread" | "spreadUp" | "steps"> {
  const { inlet, admission } = state.settings.effective;
  const capacity = inlet.maxActive ?? 0;
  const limit = state.planLimitPerMinute ?? Number.POSITIVE_INFINITY;
  const { enteringShare } = state;
  const earlyPerSec = measuredPace(state, "endedEarly") / 60;
  const live = state.liveLapses.reduce((sum, { count }) => sum + count, 0);
  const crowd = crowdBeyondReserve(state);
  // Negative where more are in than the limit: the first to leave make room for nobody.
  let free = capacity - live - crowd;
  const steps = [{ sec: fillSec, slots: free }];
  for (const { untilMs, count } of state.liveLapses) {
    const sec = Math.max(fillSec, (untilMs - state.nowMs) / 1_000);
    free += count;
    const slots = free + earlyPerSec * sec;
    const before = steps.at(-1) ?? { sec: 0, slots: 0 };
    if (before.slots < 0 && slots > 0) {
      const share = before.slots / (before.slots - slots);
      steps.push({ sec: before.sec + share * (sec - before.sec), slots: 0 });
    }
    steps.push({ sec, slots });
  }
  const perMinute = Math.min(limit, (capacity * 60_000) / admission.durationMs + earlyPerSec * 60);
  const last = steps.at(-1) ?? { sec: 0, slots: 0 };
  if (last.slots < 0 && perMinute > 0) steps.push({ sec: last.sec - (last.slots * 60) / perMinute, slots: 0 });
  return {
    steps: steps
      .filter(({ slots }) => slots >= 0)
      .map(({ sec, slots }) => ({
        sec: Math.round(Math.max(sec, ((slots + crowd) * 60) / limit)),
        places: Math.round(slots / enteringShare),
      })),
    placesPerMinute: capacity > 0 ? Math.max(minPerMinute, perMinute / enteringShare) : null,
    showRate: enteringShare,
    spread: spreadOfMeasure,
    spreadUp: spreadUpOfCapacity + spreadUpOfAbsent * (1 - enteringShare),
  };
}

/** Those ready to enter, whom the free slots are for, beyond the few who are called before there is room. */
function crowdBeyondReserve({ settings, readyToEnter }: RoomState): number {
  const { inlet, admission } = settings.effective;
  const reserve = Math.max(1, ((inlet.maxActive ?? 0) * reserveMs) / admission.durationMs);
  return Math.max(0, readyToEnter - reserve);
}

function changeNote(state: RoomState): PaceNote {
  return sinceChangeMs(state) < changeVisibleMs ? "limit_changed" : null;
}

/** Since an operator has changed the limit. */
function sinceChangeMs({ limitChangedMs, flowMs }: RoomState): number {
  return limitChangedMs > 0 ? flowMs - limitChangedMs : Number.POSITIVE_INFINITY;
}

/** Places served, or admissions of the line, a minute while a visitor waited; 0 when too little was measured. */
function measuredPace({ progress }: RoomState, what: "served" | "entered" | "endedEarly"): number {
  return progress.spanMs < minMeasureMs ? 0 : (progress[what] * 60_000) / progress.spanMs;
}

function extraMs(state: RoomState): number {
  const { holdRemainingMs, settings, nowMs } = state;
  const { type, startsAtMs } = settings.effective.inlet;
  const hasTimes = type === "periodic" || type === "adaptive";
  const startsInMs = hasTimes && startsAtMs !== null ? startsAtMs - nowMs : 0;
  return Math.max(holdRemainingMs, startsInMs, 0) + crowdMs(state);
}

/** Seconds that the limit takes to let all of those in who are ready to enter; 0 where there is no limit. */
export function waitForReadySec(state: RoomState): number {
  const limit = state.planLimitPerMinute;
  return limit === null || limit === 0 ? 0 : (state.readyToEnter * 60) / limit;
}

/** How long the limit takes over those ready to enter where they are more than an inlet would have called: an operator has. */
function crowdMs(state: RoomState): number {
  const limit = state.planLimitPerMinute;
  if (limit === null || state.settings.effective.inlet.type === "max_active") return 0;
  return (crowdOf(state, limit) * 60_000) / limit;
}

/** How many are ready to enter beyond those whom an inlet itself would have called. */
function crowdOf({ readyToEnter }: RoomState, limitPerMinute: number): number {
  return Math.max(0, readyToEnter - Math.max(usualCrowdMin, (limitPerMinute * usualCrowdMs) / 60_000));
}

/** Of all who may still claim, those that the pace does not count: nobody knows which of them are there. 0 where they enter at once. */
function calledBeyond(state: RoomState): number {
  const { inlet } = state.settings.effective;
  const limit = state.planLimitPerMinute;
  if (inlet.type === "max_active") return Math.max(0, state.pending - crowdBeyondReserve(state));
  return limit === null ? 0 : Math.max(0, state.pending - crowdOf(state, limit));
}

/** The pace as the public status has it, by which pages reckon as well. */
export function paceJson(pace: Pace): Required<PaceJson> {
  const cached = jsons.get(pace) ?? writePace(pace);
  jsons.set(pace, cached);
  return cached;
}

function writePace({
  steps,
  placesPerMinute,
  showRate,
  spread,
  spreadUp,
  extraSec,
  called,
  note,
}: Pace): Required<PaceJson> {
  // A rate that has just fallen by much makes a small share: no decimals, or the wait would be cut short, or have no end.
  const rounded = (value: number, digits: number) => Number(value.toPrecision(digits));
  return {
    steps: steps.map(({ sec, places }) => [sec, places]),
    places_per_minute: placesPerMinute && rounded(placesPerMinute, 4),
    show_rate: rounded(showRate, 3),
    spread: rounded(spread, 2),
    spread_up: rounded(spreadUp, 2),
    extra_seconds: Math.ceil(extraSec),
    called: Math.round(called),
    note,
  };
}

/** Seconds until the visitor behind so many people enters, not rounded; null when nothing is known. */
export function secondsBehind(pace: Pace, ahead: number): Wait | null {
  return waitOf(paceJson(pace), ahead + 1);
}

/** A wait as a range, in seconds. Both ends are rounded to what can be known. */
export interface WaitEstimate {
  readonly low: number;
  readonly high: number;
}

/**
 * The wait in a room as a range. Null without a pace to reckon by: the room is not open, or an operator moves the line by hand and
 * has not done so recently.
 */
export function estimateWait(state: RoomState, ahead: number): WaitEstimate | null {
  return state.phase === "open" ? waitAtPace(paceOf(state), ahead) : null;
}

/** The wait behind so many people, in an open room. */
export function waitAtPace(pace: Pace, ahead: number): WaitEstimate | null {
  const wait = estimateAtPace(paceJson(pace), ahead);
  return wait && { low: wait[0], high: wait[1] };
}

/** The long end of the estimate. */
const nearSec = 180;
const nearPeople = 10;

/**
 * The last position whose turn is near: by the estimate that every visitor sees, and by the people ahead where there is none.
 *
 * @param queued the last position to look at. Default: the last that was handed out
 */
export function nearThrough(state: RoomState, queued = state.queued): number {
  const pace = paceOf(state);
  const isNear = (position: number) => {
    const ahead = peopleAhead(state, position);
    const wait = secondsBehind(pace, ahead);
    return wait === null ? ahead <= nearPeople : wait[1] <= nearSec;
  };
  // The wait grows with the position.
  let near = state.serving;
  let beyond = Math.max(queued, near) + 1;
  while (beyond - near > 1) {
    const middle = Math.floor((near + beyond) / 2);
    if (isNear(middle)) near = middle;
    else beyond = middle;
  }
  return near;
}
