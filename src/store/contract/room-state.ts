/** What a store reports of a room, what processes remember of it, and what operators and the site do to it. Types only; part of the contract in room-store.ts. */

import type { EventsMemory, EventsState } from "./room-events.ts";
import type {
  AdmissionEnd,
  AdmittedVia,
  Draw,
  DrawnEntry,
  EntryVoid,
  Gap,
  KeyedNumber,
  RoomCounts,
} from "./room-places.ts";
import type { LogState, Presence } from "./room-records.ts";
import type { BasePhase, HoldReason, Phase, PhaseReason, StoredSettings } from "./room-settings.ts";

/** Live admissions that lapse by a time, for a recovery that has to count them. */
export interface Lapse {
  /** Now, in milliseconds, by what is left on the flow clock. */
  readonly untilMs: number;
  readonly count: number;
}

/**
 * How fast the line has moved while a visitor waited and nothing held it, over the last three minutes of the claim clock. A
 * `periodic` or `adaptive` inlet is held before `startsAtMs` and from `endsAtMs` on.
 */
export interface Progress {
  /** How much of the last three minutes that was. */
  readonly spanMs: number;
  /** Places served, and places of the line admitted, in that time. */
  readonly served: number;
  readonly entered: number;
  /** Admissions that ended otherwise than by a lapse in that time, exits included. */
  readonly endedEarly: number;
}

export type AdaptiveDecision = "increase" | "decrease" | "hold";

/** Why; the table in docs/flow.md, "Adaptive", explains each. */
export type AdaptiveReason =
  | "above_target"
  | "errors"
  | "signal_off"
  | "below_target"
  | "on_target"
  | "settling"
  | "at_floor"
  | "at_limit"
  | "unused"
  | "no_data"
  | "not_open";

/** How an `adaptive` inlet controls the site's latency. */
export interface AdaptiveState {
  /** The rate in force; `outflowPerMinute` of the settings is the limit. */
  readonly ratePerMinute: number;
  /** Null while a target relative to the baseline has none yet. */
  readonly targetMs: number | null;
  /** Smoothed over the intervals; null before any data. */
  readonly latencyMs: number | null;
  /** The site's latency when it has little to do, as far as was seen. */
  readonly baselineMs: number | null;
  /** Of the last interval that reported any; a fraction. */
  readonly errorRate: number | null;
  readonly decision: AdaptiveDecision;
  readonly reason: AdaptiveReason;
  /** `now` at the last decision; 0 before the first. */
  readonly decidedMs: number;
  /** Flow clock at the last report of a probe; 0 for never. */
  readonly probedMs: number;
}

/** What one process knows of it, for a recovery. */
export type AdaptiveMemory = Pick<AdaptiveState, "ratePerMinute" | "baselineMs">;

/** What is left to sell. */
export interface Stock {
  /** Null where nobody says. */
  readonly left: number | null;
  /** When that was so (now), as the shop says; 0 for never. */
  readonly asOfMs: number;
  /** Grows with each time that it was told; the higher one wins in a merge. */
  readonly mark: number;
}

/** What a state and the memory of it have alike. */
interface SharedState {
  readonly edition: number;
  /** What lies under a pause. */
  readonly basePhase: BasePhase;
  /** All that would hold the room, in order; some of it may not count in this phase. */
  readonly holds: readonly HoldReason[];
  /** The latest of the schedule's times that was carried out, or passed over; 0 for none. */
  readonly scheduleMarkMs: number;
  /** Admissions `via` idle up to here (now) have ended with the idle phase. */
  readonly idleEndedMs: number;
  /**
   * Grows with every change of phase, holds, settings or edition; the higher one wins in a merge. Stays 0 while the room is
   * forgotten (hold `recovered`), so that any true memory wins.
   */
  readonly version: number;
  readonly settings: StoredSettings;
  readonly stock: Stock;
  /** The queue counter: the last number handed out. */
  readonly queued: number;
  /** The serving counter: the last position that may enter. May exceed `queued` (open places). */
  readonly serving: number;
  /** Gaps above the serving counter, ascending, at most 32: in positions, once a draw is closed, before that in numbers. */
  readonly gaps: readonly Gap[];
  /** Places up to here were served and not claimed in time. A later join time still counts. */
  readonly expiredThrough: number;
  readonly counts: RoomCounts;
  /** Joins in the busiest second of the last ten; sizes the gap after a loss. */
  readonly joinsPerSecondPeak: number;
  readonly claimMs: number;
}

/** Of the server that keeps the room. */
export interface StateServer {
  /** Its run. */
  readonly runId: string;
  /** Earlier runs, this one's and others', of which nothing was lost until this one went on. */
  readonly runsBefore: readonly string[];
  /** `now` when the room's last recovery after a loss ended; 0 for none. */
  readonly lostMs: number;
}

/** The public state of a room, as of `nowMs`. */
export interface RoomState extends SharedState {
  readonly incarnation: string;
  /** `now` when this incarnation began. Only claims signed into tickets before it count as proof (see `claim`). */
  readonly incarnationStartedMs: number;
  readonly server: StateServer;
  /** `now` when the base phase began, or was restored in a recovery; 0 where the room began with it. Tells a phase from the same one later. */
  readonly phaseSinceMs: number;
  readonly phase: Phase;
  readonly phaseReason: PhaseReason;
  /** The draws of this edition, the latest last; the last 16 of them. */
  readonly draws: readonly Draw[];
  /** Of this edition, the latest last. */
  readonly voids: readonly EntryVoid[];
  /** How many entries of the draw that takes entries are voided. */
  readonly voidedEntries: number;
  /** Admissions that are live, less those reported to have exited. */
  readonly liveAdmissions: number;
  /**
   * The same as lapses, at most 8 of them, ascending; the first is the earliest by itself (count 1). Only for `max_active`,
   * else empty. Includes unaccounted admissions.
   */
  readonly liveLapses: readonly Lapse[];
  /** Places that may yet claim soon: ready, or served within 30 s (by `periodic` itself: 5 s). An upper bound, for recovery. */
  readonly pending: number;
  /** Ready visitors, and those expected of the places served lately: they use the limit first. */
  readonly readyToEnter: number;
  /** The share of served places whose visitors claim, however late, over about three minutes in which places were served. */
  readonly enteringShare: number;
  /** Places served more than 30 s ago (claim clock), neither claimed, left nor expired. */
  readonly absent: number;
  readonly progress: Progress;
  /** Admissions per minute over the last three minutes of the flow clock (or since the room is that old). */
  readonly outflowPerMinute: number;
  /** Of an `adaptive` inlet; absent for other types. */
  readonly adaptive?: AdaptiveState;
  /** The lower of the room's own limit (of an `adaptive` inlet the rate) and its share of a shared one; null for none. */
  readonly planLimitPerMinute: number | null;
  /** Flow clock at the last change of what decides how fast the line moves; 0 for never. A room's first settings are no change. */
  readonly limitChangedMs: number;
  /** Flow clock at the last health report; 0 for never. */
  readonly healthReportedMs: number;
  readonly flowMs: number;
  readonly nowMs: number;
  /** Milliseconds of the flow clock for which nobody is admitted, after a recovery; 0 when over. */
  readonly holdRemainingMs: number;
  /** The slot of the statistics that is open; 0 while nothing is recorded. */
  readonly statisticsSlot: number;
  readonly presence: Presence;
  readonly log: LogState;
  readonly events: EventsState;
}

/** The right of one visitor to be logged in for a while. One per `sub`. */
export interface Admission {
  readonly sub: string;
  readonly edition: number;
  /** 0 where there was no place. */
  readonly position: number;
  /** Of what the position was drawn; absent or null where it was not. */
  readonly entry?: DrawnEntry | null;
  /** The highest position of this edition that the visitor has claimed, by this admission or an earlier one; 0 for none. */
  readonly usedPosition: number;
  readonly via: AdmittedVia;
  /** `now` at the first successful claim. */
  readonly admittedMs: number;
  /**
   * `now` at which it lapses, by what is left of it on the flow clock, which decides; the same as was reported before as long as
   * the two clocks agree within a second. Grows where admissions are sliding.
   */
  readonly expiresMs: number;
  /** The same on the flow clock. It is of this incarnation: what is offered in a recovery goes by `expiresMs`. */
  readonly expiresFlowMs: number;
  /** `now` by which a site must have seen the visitor (`recordVisit`); absent: one has, or none need. */
  readonly visitByMs?: number;
  /**
   * Null while live. An admission whose time is over, or of an idle phase that is over, is reported as ended `expired`, and one whose
   * visitor no site has seen in time as `abandoned`.
   */
  readonly ended: AdmissionEnd | null;
  /**
   * The authorization requests that were answered under it, one code each: the hash, and behind a colon the client, if that is to be
   * notified when the admission ends.
   */
  readonly logins: readonly string[];
  /** Those of the logins whose hand-over token was taken at a site; absent: none. */
  readonly taken?: readonly string[];
  /** Names of the addresses from which it was used (see `ClaimRequest.address`), at most 100; absent: none is known. */
  readonly addresses?: readonly string[];
}

/** A place that was carried to another visitor. */
export interface MovedPlace {
  /** That its ticket names. */
  readonly number: number;
  /** Whose it is since. */
  readonly sub: string;
  /** `now` at the move, and later than at any earlier move of the place. */
  readonly movedMs: number;
}

/**
 * What one process remembers of a room, offered when an incarnation has ended. Merged by maximum (core/recovery/merge.ts): counters
 * within the higher edition; phase, holds and settings by version; of gaps what both call one, so that they only shrink.
 *
 * A ticket that was presented is offered as a memory of version 0: it proves a position, and says nothing of phase, settings or gaps.
 */
export interface RoomMemory extends Omit<SharedState, "stock"> {
  /** Absent: nothing is known of it. */
  readonly stock?: Stock;
  /** What was live, and what was `pending` with it, as lapses that end when a new admission would. */
  readonly liveLapses: readonly Lapse[];
  /** As they were known last. None has used a place of this edition beyond `queued`. */
  readonly admissions: readonly Admission[];
  /** Of this edition. Those beyond `queued` do not count. */
  readonly moves: readonly MovedPlace[];
  /** Of this edition. Those beyond `queued` do not count. */
  readonly keys: readonly KeyedNumber[];
  /** Of this edition. Absent: none. */
  readonly draws?: readonly Draw[];
  /** Of this edition. Absent: none. */
  readonly voids?: readonly EntryVoid[];
  /** Absent for other inlets than `adaptive`. */
  readonly adaptive?: AdaptiveMemory;
  /** Absent: nothing is known of it. */
  readonly log?: LogState;
  /** Absent: nothing is known of them. */
  readonly events?: EventsMemory;
}

// What an operator, and the site, do to a room.

/** The room after a step. */
export interface StepAnswer {
  readonly serving: number;
  readonly queued: number;
  readonly waiting: number;
  readonly edition: number;
  readonly phase: Phase;
  /** Of the step `exited` alone: how many were counted, no more than were live. */
  readonly exited?: number;
  /** Of the step `stock` alone: how many are left, as is known now; absent where nobody says. */
  readonly remaining?: number;
}

/**
 * Operations that an operator asks for. A `requestId` makes each safe to repeat for 24 h: the first answer is given again.
 * Null where nobody could repeat it.
 */
export type AdminStep =
  /**
   * Moves the serving counter over `by` places (gaps are skipped free, both ways). Negative moves back, floor 0: those
   * places wait again, and all but the claimed and the left get a fresh window when they are served again. May pass the
   * queue counter. Also while paused.
   */
  | { step: "increment"; by: number }
  /** Holds the room for the reason `operator`; `resume` lifts that one and `recovered`, and no other. */
  | { step: "pause" }
  | { step: "resume" }
  /** The hold `alarm`. */
  | { step: "alarm"; isSet: boolean }
  /**
   * Puts the room into a phase. What holds it stays: only `resume` and `reset` lift `recovered`.
   */
  | { step: "phase"; phase: BasePhase }
  /**
   * So many have left the site, and nobody knows which: they count as live no longer (`max_active`).
   */
  | { step: "exited"; count: number }
  /**
   * So many are left to sell; null: nobody says so any more. At 0 the room is held (`sold_out`). `asOfMs`: when that was so, if the
   * caller says; it counts as now where it is later, and what is older than the last that was told changes nothing.
   */
  | { step: "stock"; remaining: number | null; asOfMs: number | null }
  /**
   * Starts a new edition, max(edition + 1, now in seconds): counters at 0, all places void, no stock told. Limiter, live admissions, phase, counts
   * and settings stay; the hold `recovered` becomes `operator`.
   */
  | { step: "reset" };

/**
 * The load of a site with an `adaptive` inlet: by a probe, `latencyMs` null for one that failed; or as the site itself reports it,
 * each null where it says nothing of it.
 */
export type LoadReport =
  | { readonly source: "probe"; readonly latencyMs: number | null }
  | {
      readonly source: "site";
      readonly latencyMs: number | null;
      /** A fraction. */
      readonly errorRate: number | null;
      /** `off` holds the line until `on`. */
      readonly signal: "on" | "off" | null;
    };
