/**
 * What the rules go by: the state of a room, and of a shared outflow. A store keeps it and hands it to every operation. A list
 * that was changed in place is assigned again: only then a store knows that it was changed.
 */
import type { Draw } from "../store/contract/room-draw.ts";
import type { RoomCounts } from "../store/contract/room-facts.ts";
import type { BasePhase, HoldReason, InletType, WithoutLine } from "../store/contract/room-settings.ts";
import type { AdaptiveDecision, AdaptiveReason } from "../store/contract/room-state.ts";
import type { AdvanceRows } from "./ports/advance-rows.ts";
import type { CountLog } from "./ports/count-log.ts";
import type { Holders } from "./ports/holders.ts";
import type { LogStream } from "./ports/log-stream.ts";
import type { PositionSet } from "./ports/position-set.ts";
import type { Records } from "./ports/records.ts";
import type { ScoredSet } from "./ports/scored-set.ts";
import type { DrawMark, Gap, JoinSecond, Lapse, OutflowBucket, ProgressBucket, Sample, ServeBatch } from "./rows.ts";

/** What a limit is kept by, of a room or of a shared outflow. Times are on its flow clock. */
export interface Limiter {
  readonly flowMs: number;
  /** Admissions within the window. */
  logTotal: number;
  readonly log: CountLog;
  /** Theoretical arrival time of the pacing. */
  tatMs: number;
}

/** One room's part in a shared outflow. Times are on the group's flow clock. */
export interface Share {
  readonly name: string;
  weight: number;
  /** The room's own limit per minute; null for none. */
  ownLimit: number | null;
  /** Grows by 1 ÷ weight with each admission. */
  counter: number;
  /** When it was refused last. */
  askedMs: number;
  /** When visitors were last seen waiting, or claims pending. */
  demandMs: number;
}

/** A limiter that several rooms share. */
export interface Group extends Limiter {
  atMs: number;
  flowMs: number;
  shares: Share[];
  /** Of the room that is operated on. */
  own: Share;
}

/** The settings in force, as the rules go by them; see settings.ts. */
export interface RoomRules {
  inletType: InletType;
  /** Per minute; null for none. */
  limit: number | null;
  maxActive: number | null;
  startsAtMs: number | null;
  endsAtMs: number | null;
  /** "" for none. */
  sharedId: string;
  sharedLimit: number | null;
  sharedWeight: number | null;
  unhealthyAfter: number | null;
  healthyAfter: number | null;
  prequeueAtMs: number | null;
  opensAtMs: number | null;
  closesAtMs: number | null;
  whenIdle: WithoutLine;
  whenEnded: WithoutLine;
  maxWaiting: number | null;
  durationMs: number;
  maxDurationMs: number | null;
  claimWithinMs: number;
  loginsPerAdmission: number;
  addressesPerAdmission: number | null;
  logRowsMax: number | null;
  drawOrder: "random" | "arrival" | "";
  drawBeacon: "none" | "drand" | "";
  /** Of an `adaptive` inlet; 0 for another. */
  rateFloor: number;
  rateStart: number;
  rateStep: number;
  targetMs: number | null;
  targetTimes: number | null;
  errorLimit: number;
  decideEveryMs: number;
}

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
  probes: Sample[];
  reports: Sample[];
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
  /** Before the first decision `hold`, for want of data. */
  decision: AdaptiveDecision;
  reason: AdaptiveReason;
  /** Now. */
  decidedMs: number;
}

/** A draw as it is kept. */
export type DrawData = { -readonly [K in keyof Draw]: Draw[K] } & {
  /** Flow clock: closing, when entries end; closed, since when. */
  atFlowMs: number;
};

export interface Room extends Limiter, RoomRules {
  incarnation: string;
  incarnationStartedMs: number;
  /** Flow clock at which recovery ends; 0 when there is none. */
  recoveringUntilMs: number;
  /** Gaps from this position on are not settled: visitors may come yet who stand there. 0 for none. */
  unsettledFrom: number;
  /** Flow clock at which they are; 0 for none. */
  settlesMs: number;

  atMs: number;
  flowMs: number;
  claimMs: number;
  bornMs: number;
  holdUntilMs: number;

  edition: number;
  basePhase: BasePhase;
  /** In the order of `HoldReason`. */
  holds: HoldReason[];
  /** Settings as JSON: in force, of the file, and the operator's live changes; see settings.ts. */
  effective: string;
  file: string;
  liveChanges: string;
  scheduleMarkMs: number;
  idleEndedMs: number;
  version: number;
  queued: number;
  serving: number;
  /** The highest serving counter of the edition, whatever an operator took back since. */
  servingHigh: number;
  expiredThrough: number;
  gaps: readonly Gap[];
  draws: DrawData[];
  drawMarks: DrawMark[];

  joinSeconds: JoinSecond[];
  /** The peak that others remembered. */
  joinPeak: number;

  readonly rows: AdvanceRows;
  /** Positions of the edition that were claimed, and that were left. */
  readonly claimedPlaces: PositionSet;
  readonly leftPlaces: PositionSet;
  /** Numbers of entries that were left, or used up, before they were drawn. */
  readonly usedEntries: PositionSet;

  /** Who holds the places that were moved, by the ticket's number; the same places by number of the last change. */
  readonly holders: Holders;
  readonly moves: ScoredSet<number>;
  /** Links that were used, by when they expire (now): by which places were moved, and bypass links. */
  readonly usedMoves: ScoredSet<string>;
  readonly usedLinks: ScoredSet<string>;

  readonly admissions: Records;
  /** All admissions by number of their last change. */
  readonly changes: ScoredSet<string>;
  changeCount: number;
  /** Live admissions `via` idle, by when they began (now). */
  readonly idle: ScoredSet<string>;
  /** Ended admissions by the time from which they may be forgotten (now). */
  readonly ended: ScoredSet<string>;
  /** Logins whose client is to be told of the end, by when they are due (flow clock); see ended-logins.ts. */
  readonly endedLogins: ScoredSet<string>;
  /** Live admissions by end (flow clock). */
  readonly live: ScoredSet<string>;
  /** So many of the live ones have left, nobody knows which. */
  exited: number;
  /** What may be live though nobody knows the admission (`max_active`, after a loss). Flow clock. */
  unaccounted: Lapse[];
  /** During a recovery: what others remember to be live. Flow clock. */
  rememberedLapses: Lapse[];

  /** The shared outflow in whose log this room's admissions are; "" for none. */
  logGroup: string;
  /** Positions that the limiter refused within the last 5 s (0 for bypass links), in order; and by when (flow clock). */
  readonly pendingClaims: ScoredSet<number>;
  readonly pendingClaimTimes: ScoredSet<number>;
  /** Positions by when the limiter last refused them (claim clock); and in order. */
  readonly heldTimes: ScoredSet<number>;
  readonly held: ScoredSet<number>;

  readonly counts: { -readonly [K in keyof RoomCounts]: RoomCounts[K] };
  /** The bucket that is open, and those before it. */
  readonly progressNow: ProgressBucket;
  progress: ProgressBucket[];
  /** Flow clock. */
  limitChangedMs: number;
  readonly adaptive: AdaptiveData;
  /** In a row; and when the last one was reported (flow clock). */
  readonly health: { failures: number; successes: number; reportedMs: number };
  readonly admissionLog: LogStream;
  /** Number of the last row there ever was. */
  logLast: number;
  logSealedSeq: number;
  logSealedHash: string;
  logBaseSeq: number;
  logBaseHash: string;
  /** In a recovery: the last number that others remember. */
  logHeard: number;
  /** What was in force, as it was noted last; "off" while nothing is logged, "" when it is to be noted anew. */
  logNoted: string;
  /** The counts as they were noted last, and when (flow clock). */
  logCounts: string;
  logCountsMs: number;
  outflow: OutflowBucket[];
  batches: ServeBatch[];
  readonly pull: {
    second: number;
    shown: number;
    served: number;
    marginMs: number;
    /** Of so many places served, smoothed, so many visitors have come; and those of them counted by a claim that was pending. */
    called: number;
    came: number;
    standing: number;
  };
}
