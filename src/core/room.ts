/**
 * What the rules go by: the state of a room, and of a shared outflow. A store keeps it and hands it to every operation. A list
 * that was changed in place is assigned again: only then a store knows that it was changed. Each field stands here once, with the
 * value that it has before anything has happened; the compiler finds here how Redis is to keep it.
 */
import type { Draw, EntryVoid, RoomCounts } from "../store/contract/room-places.ts";
import type {
  BasePhase,
  DrawSettings,
  HoldReason,
  InletType,
  MoveRule,
  WithoutLine,
} from "../store/contract/room-settings.ts";
import type { AdaptiveDecision, AdaptiveReason, MovedPlace } from "../store/contract/room-state.ts";
import {
  type AdmissionRecord,
  type CountLog,
  createAdvanceRows,
  createAnswers,
  createCountLog,
  createEntryBlocks,
  createLogStream,
  createNamedTexts,
  createRecords,
} from "./ports/lists.ts";
import { createDistinctCount, createPositionSet, createScoredSet } from "./ports/sets.ts";
import { createStatisticsRing } from "./ports/statistics-ring.ts";
import type {
  DrawMark,
  Gap,
  JoinSecond,
  Lapse,
  OutflowBucket,
  ProgressBucket,
  Reporter,
  Sample,
  ServeBatch,
} from "./rows.ts";

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

const noNumber = null as number | null;

/** The settings in force, as the rules go by them; see settings.ts. */
const noRules = {
  inletType: "manual" as InletType,
  /** Per minute; null for none. */
  limit: noNumber,
  maxActive: noNumber,
  startsAtMs: noNumber,
  endsAtMs: noNumber,
  /** "" for none. */
  sharedId: "",
  sharedLimit: noNumber,
  sharedWeight: noNumber,
  unhealthyAfter: noNumber,
  healthyAfter: noNumber,
  prequeueAtMs: noNumber,
  opensAtMs: noNumber,
  closesAtMs: noNumber,
  whenIdle: "page" as WithoutLine,
  whenEnded: "page" as WithoutLine,
  maxWaiting: noNumber,
  durationMs: 0,
  maxDurationMs: noNumber,
  claimWithinMs: 0,
  loginsPerAdmission: 0,
  /** Milliseconds; null: an admission need not be seen by a site. */
  firstVisitWithinMs: noNumber,
  addressesPerAdmission: noNumber,
  logRowsMax: 0,
  /** By the message; and whether visitors may wait for what is returned. */
  saysSoldOut: false,
  hasReturns: false,
  /** Whether admissions and their ends are events. */
  tellsAdmissions: false,
  /** Whether visitors may be notified of their turn. */
  hasPush: false,
  /** How often a place may be moved to another browser. */
  moveRule: "once" as MoveRule,
  drawOrder: "arrival" as DrawSettings["order"],
  drawBeacon: "none" as DrawSettings["beacon"],
  /** Of an `adaptive` inlet; 0 for another. */
  rateFloor: 0,
  rateStart: 0,
  rateStep: 0,
  targetMs: noNumber,
  targetTimes: noNumber,
  errorLimit: 0,
  decideEveryMs: 0,
};

/** What an `adaptive` inlet goes by. Times are on the flow clock where nothing else is said. */
export function createAdaptive() {
  return {
    /** 0 before the first decision: that of the settings' start. */
    rate: 0,
    /** When the interval began; 0 before the first. */
    sinceMs: 0,
    decreasedMs: 0,
    raisedMs: 0,
    /** The rate before the last decrease, or row of them: more than the site bore. 0 before there was one. */
    strainedRate: 0,
    /** Since when the rate has been at the floor; 0 when it is not. */
    floorMs: 0,
    /** Latencies of the interval, in milliseconds. */
    probes: [] as Sample[],
    reports: [] as Sample[],
    errorSum: 0,
    errorCount: 0,
    /** Reports of any kind in the interval. */
    reported: 0,
    /** Probes, and those of them that failed, the older the less. */
    tried: 0,
    failed: 0,
    probedMs: 0,
    /** When the last interval ended that reported anything, and any latency. */
    dataMs: 0,
    measuredMs: 0,
    /** Smoothed; and by how much it changes in an interval. */
    latencyMs: null as number | null,
    trendMs: 0,
    errorRate: null as number | null,
    baselineMs: null as number | null,
    /** Admissions of the interval, and before it, the older the less; what the rate would have let in; in how long. */
    admittedNow: 0,
    admitted: 0,
    expected: 0,
    spanMs: 0,
    /** Before the first decision `hold`, for want of data. */
    decision: "hold" as AdaptiveDecision,
    reason: "no_data" as AdaptiveReason,
    /** Now. */
    decidedMs: 0,
  };
}

/** What the statistics go by; see statistics/statistics.ts. Slots are of ten seconds of the wall clock. */
function createStatistics() {
  return {
    /** That is open; 0 while nothing is recorded. */
    slot: 0,
    flags: 0,
    /** The counts when it began; and the refusals since. */
    base: [] as number[],
    refused: [] as number[],
    /** What the closed slots of the minute have counted. */
    minute: [] as number[],
    minuteFlags: 0,
    /** Of the slots, and of the minutes: the last that has a row, how many behind it were quiet, its gauges. */
    tens: [] as number[],
    minutes: [] as number[],
    reporters: [] as Reporter[],
    /** Whether many were refused a place in the last minute, as was told. */
    isRefusing: false,
    /** Places served before `servedThrough` was the serving counter. */
    served: 0,
    servedThrough: 0,
  };
}

/** See statistics/presence.ts. */
function createPresence() {
  return {
    shift: 0,
    countedShift: 0,
    widenedMinute: 0,
    /** The share has changed since the minute began, or it was not recorded from its beginning on. */
    isMixed: false,
    /** Of the minute before `minute`, one more than were counted; 0 where that is not known. */
    pages: 0,
    pagesShift: 0,
    minute: 0,
  };
}

/** A draw as it is kept. */
export type DrawData = { -readonly [K in keyof Draw]: Draw[K] } & {
  /** Flow clock: closing, when entries end; closed, since when. */
  atFlowMs: number;
};

/** A void as it is kept. */
export type VoidData = { -readonly [K in keyof EntryVoid]: EntryVoid[K] };

export const noCounts: RoomCounts = {
  joined: 0,
  entered: 0,
  passed: 0,
  bypassed: 0,
  completed: 0,
  abandoned: 0,
  loggedOut: 0,
  revoked: 0,
  expired: 0,
  noShows: 0,
  left: 0,
};

/** How fast the line moves; see `ProgressBucket`. */
export function createProgress() {
  return { bucket: 0, spanMs: 0, served: 0, entered: 0, endedEarly: 0 };
}

/** Who is to be notified of the turn; see pushes.ts. */
export function createPushes() {
  return {
    /** Subscriptions by `sub`. */
    pushTexts: createNamedTexts(),
    /** Who is to be told, by position: that the turn has come, and that it is near. */
    pushTurns: createScoredSet<string>(),
    pushNear: createScoredSet<string>(),
    /** By entry number: who stands in a draw that is not drawn. */
    pushUndrawn: createScoredSet<string>(),
    /** Notifications that were taken, by when they come again (flow clock). */
    pushDue: createScoredSet<string>(),
  };
}

/** The places of an edition that begins. */
export function createPlaces() {
  return {
    queued: 0,
    serving: 0,
    /** The highest serving counter of the edition, whatever an operator took back since. */
    servingHigh: 0,
    expiredThrough: 0,
    gaps: [] as readonly Gap[],
    /** Gaps from this position on are not settled: visitors may come yet who stand there. 0 for none. */
    unsettledFrom: 0,
    /** Flow clock at which they are; 0 for none. */
    settlesMs: 0,
    draws: [] as DrawData[],
    drawMarks: [] as DrawMark[],
    /** See draw/voids.ts: all of them, and how many of them stand. */
    voids: [] as VoidData[],
    voidCount: 0,
    /** Of the draw that takes entries: blocks that are voided, and how many entries. */
    voidedBlocks: [] as string[],
    voidedEntries: 0,
    /** Blocks of entries; of which draw, 0 for none; and the number of the first row. */
    entryBlocks: createEntryBlocks(),
    blocksDraw: 0,
    blocksFrom: 0,

    rows: createAdvanceRows(),
    /** Positions that were claimed, and that were left. */
    claimedPlaces: createPositionSet(),
    leftPlaces: createPositionSet(),
    /** Numbers of entries that were left, or used up, before they were drawn. */
    usedEntries: createPositionSet(),

    /** Who holds the places that were moved, by the ticket's number; the same places by number of the last change. */
    holders: createRecords<number, MovedPlace>(),
    moves: createScoredSet<number>(),
    /** Links by which places were moved, by when they expire (now). */
    usedMoves: createScoredSet<string>(),
    /** Names of keys that have a place, by its number; see places.ts. */
    keyedPlaces: createScoredSet<string>(),
  };
}

/** Claims that the limiter refused. */
export function createPendingClaims() {
  return {
    /** Positions that it refused within the last 5 s (0 for bypass links), in order; and by when (flow clock). */
    pendingClaims: createScoredSet<number>(),
    pendingClaimTimes: createScoredSet<number>(),
    /** Positions by when it last refused them (claim clock); and in order. */
    heldTimes: createScoredSet<number>(),
    held: createScoredSet<number>(),
  };
}

/** A room of which nothing is known yet; see `beginRoom`. */
export function createRoom() {
  return {
    ...noRules,
    ...createPlaces(),
    ...createPendingClaims(),
    ...createPushes(),
    /** "" while there is no state. */
    incarnation: "",
    /** The run of the server that it is of. */
    runId: "",
    incarnationStartedMs: 0,
    /** Flow clock at which recovery ends; 0 when there is none. */
    recoveringUntilMs: 0,
    /** In a recovery: whether anybody remembers the room, or somebody says that no ticket of it can exist. */
    isRemembered: false,
    isNew: false,
    /** In a recovery: whether the limiter knows who was admitted last, so that it need hold nobody afterwards. */
    isLogWhole: false,
    /**
     * During a recovery: whether no process remembers anything later than the state that was found, and a process that saw the room shortly before that
     * state has said so; and the counters of that state.
     */
    isWhole: false,
    isWitnessed: false,
    foundIncarnation: "",
    foundFlowMs: 0,
    foundEdition: 0,
    foundQueued: 0,
    /** Earlier runs of servers of which nothing was lost since. */
    runsBefore: [] as readonly string[],
    /** When the last recovery after a loss ended (now, or just after the one before); 0 for none. */
    lostMs: 0,
    /** Links that were made before are void (now); 0: before the incarnation. */
    linksFromMs: 0,
    /** In a recovery: settings of the file that are put in force at its end, as JSON; "" for none. */
    pendingFile: "",

    atMs: 0,
    flowMs: 0,
    claimMs: 0,
    bornMs: 0,
    holdUntilMs: 0,

    edition: 0,
    basePhase: "idle" as BasePhase,
    /** When it began (now); 0 where it has been so since the room began. */
    phaseSinceMs: 0,
    /** In the order of `HoldReason`. */
    holds: [] as readonly HoldReason[],
    /** Settings as JSON: in force, of the file, and the operator's live changes; see settings.ts. */
    effective: "",
    file: "",
    liveChanges: "",
    scheduleMarkMs: 0,
    idleEndedMs: 0,
    version: 0,
    /** What is left to sell, null where nobody says; when that was so (now); and, for a merge, when it was told: it only grows. */
    stockLeft: noNumber,
    stockAsOfMs: 0,
    stockMark: 0,

    joinSeconds: [] as JoinSecond[],
    /** The peak that others remembered. */
    joinPeak: 0,

    /** Bypass links that were used, by when they expire (now). */
    usedLinks: createScoredSet<string>(),

    admissions: createRecords<string, AdmissionRecord>(),
    /** All admissions by number of their last change. */
    changes: createScoredSet<string>(),
    changeCount: 0,
    answers: createAnswers(),
    /** Live admissions `via` idle, by when they began (now). */
    idle: createScoredSet<string>(),
    /** Live admissions whose visitors the site has to see yet, by until when (flow clock). */
    unvisited: createScoredSet<string>(),
    /** Ended admissions by the time from which they may be forgotten (now). */
    ended: createScoredSet<string>(),
    /** Logins whose client is to be notified of the end, by when they are due (flow clock); see ended-logins.ts. */
    endedLogins: createScoredSet<string>(),
    /** Live admissions by end (flow clock). */
    live: createScoredSet<string>(),
    /** So many of the live ones have left, nobody knows which. */
    exited: 0,
    /** What may be live though nobody knows the admission (`max_active`, after a loss). Flow clock. */
    unaccounted: [] as Lapse[],
    /** During a recovery: what others remember to be live. Flow clock. */
    rememberedLapses: [] as Lapse[],

    log: createCountLog(),
    logTotal: 0,
    tatMs: 0,
    /** The shared outflow in whose log this room's admissions are; "" for none. */
    logGroup: "",
    /** The shared outflow that this operation goes by; null for none. */
    group: null as Group | null,

    counts: { ...noCounts } as { -readonly [K in keyof RoomCounts]: RoomCounts[K] },
    /** The bucket that is open, and those before it. */
    progressNow: createProgress(),
    progress: [] as ProgressBucket[],
    /** Flow clock. */
    limitChangedMs: 0,
    adaptive: createAdaptive(),
    /** In a row; when the last one was reported (flow clock); and how long it took, if the site was well. */
    health: { failures: 0, successes: 0, reportedMs: 0, latencyMs: null as number | null },
    admissionLog: createLogStream(),
    /** Number of the last row there ever was. */
    logLast: 0,
    logSealedSeq: 0,
    logSealedHash: "",
    logBaseSeq: 0,
    logBaseHash: "",
    /** In a recovery: the last number that others remember. */
    logRemembered: 0,
    /** What was in force, as it was noted last; "off" while nothing is logged, "" when it is to be noted anew. */
    logNoted: "",
    /** The counts as they were noted last, and when (flow clock). */
    logCounts: "",
    logCountsMs: 0,
    statistics: createStatistics(),
    statisticsTens: createStatisticsRing(),
    statisticsMinutes: createStatisticsRing(),
    presence: createPresence(),
    /** Pages that were open in this minute. */
    openPages: createDistinctCount(),
    /** See events/rows.ts; and which webhook has taken them up to where. */
    events: createLogStream(),
    deliveries: createNamedTexts(),
    deadLetters: createLogStream(),
    /** Number of the last event. */
    eventLast: 0,
    /** What was told last, see events/tell.ts: the version; phase, holds and edition; draws; and the sealed row of the log. */
    toldVersion: 0,
    told: "",
    toldDraws: "",
    toldSealedSeq: 0,
    /** When the figures were told last (flow clock). */
    figuresMs: 0,
    /** Since when joins are refused because the room is full (now); 0: none are. -1 once that was told. */
    fullMs: 0,
    outflow: [] as OutflowBucket[],
    batches: [] as ServeBatch[],
    pull: {
      second: 0,
      shown: 0,
      served: 0,
      marginMs: 0,
      /** Of so many places served, smoothed, so many visitors have come; and those of them counted by a claim that was pending. */
      called: 0,
      came: 0,
      standing: 0,
    },
  };
}

export interface Room extends ReturnType<typeof createRoom> {}

/** Forgets all of the state. In Redis what is kept beside it may have outlived it, and stays but for the logs. */
export function clearState(room: Room): void {
  Object.assign(room, createRoom());
}
