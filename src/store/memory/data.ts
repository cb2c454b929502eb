import { type CountLog, createCountLog } from "../../core/ports/count-log.ts";
import type {
  Admission,
  AdmissionEnd,
  BasePhase,
  Draw,
  Gap,
  HoldReason,
  Lapse,
  OidcRecord,
  RoomCounts,
  RoomSettings,
  StoredSettings,
} from "../contract/room-store.ts";
import { type AdaptiveData, createAdaptive } from "./adaptive-data.ts";
import { type AdmissionLogData, createAdmissionLog } from "./admission-log-data.ts";
import { createPositionSet, type PositionSet } from "./position-set.ts";
import { lastScheduleTime, phaseBySchedule } from "./schedule.ts";
import { createScoredSet, type ScoredSet } from "./scored-set.ts";

/** An advance of the serving counter: the places up to `to` that no earlier row covers. Claim clock. */
export interface AdvanceRow {
  to: number;
  /** The first advance that went into this row; decides how long more are added to it. */
  readonly sinceMs: number;
  /** The last one; the places of the row count as served then. */
  atMs: number;
}

/** Places that were served within a second, and how many of them have shown up within the show time. Flow clock. */
export interface ServeBatch {
  readonly atMs: number;
  readonly from: number;
  to: number;
  places: number;
  shown: number;
  readonly showMs: number;
}

export interface AdmissionRecord
  extends Pick<Admission, "sub" | "edition" | "position" | "entry" | "usedPosition" | "via" | "admittedMs"> {
  /** What was told; see `toldExpiresMs`. */
  expiresMs: number;
  /** When it began and ends on the flow clock, which decides. */
  readonly admittedFlowMs: number;
  expiresFlowMs: number;
  ended: AdmissionEnd | null;
  logins: string[];
  taken?: readonly string[];
  addresses?: readonly string[];
  /** Claim clock at the admission, and no earlier than the place was joined: its last window begins by then. */
  readonly claimMs: number;
}

/** See `MovedPlace`. */
export interface Holder {
  readonly sub: string;
  readonly movedMs: number;
}

/** How fast the line moved in ten seconds of the claim clock; see `Progress`. */
export interface ProgressBucket {
  readonly bucket: number;
  spanMs: number;
  served: number;
  entered: number;
  endedEarly: number;
}

/** One room's part in a shared outflow. Times are on the group's flow clock. */
export interface Share {
  weight: number;
  /** The room's own limit per minute; null for none. */
  ownLimit: number | null;
  /** Grows by 1 ÷ weight with each admission. */
  counter: number;
  /** When it was refused last. */
  askedMs: number;
  /** When people were last seen waiting or knocking. */
  demandMs: number;
}

/** A limiter that several rooms share. */
export interface GroupData {
  atMs: number;
  flowMs: number;
  readonly log: CountLog;
  logTotal: number;
  tatMs: number;
  readonly shares: Map<string, Share>;
}

/** A draw as it is kept. */
export type DrawData = { -readonly [K in keyof Draw]: Draw[K] } & {
  /** Flow clock: closing, when entries end; closed, since when. */
  atFlowMs: number;
};

/** All that the store keeps of one room. Mirrors the room's keys in Redis. */
export interface RoomData {
  readonly name: string;
  life: string;
  runId: string;
  lifeStartedMs: number;
  /** Flow clock at which recovery ends; 0 when there is none. */
  recoveringUntilMs: number;
  remembered: boolean;
  /** Whether anyone said during this recovery that no ticket of the room can exist. */
  isNew: boolean;
  /** The configuration file's settings offered during recovery; laid down at its end. */
  pendingFile: RoomSettings | null;
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
  scheduleMarkMs: number;
  idleEndedMs: number;
  version: number;
  settings: StoredSettings;
  queued: number;
  serving: number;
  /** The highest serving counter of the edition, whatever an operator took back since. */
  servingHigh: number;
  expiredThrough: number;
  gaps: Gap[];
  draws: DrawData[];

  joinSeconds: { second: number; count: number }[];
  /** The peak that others remembered. */
  joinPeak: number;

  rows: AdvanceRow[];
  /** Positions of the edition that were claimed, and that were left. */
  claimed: PositionSet;
  left: PositionSet;
  /** Numbers of entries that were left, or used up, before they were drawn. */
  usedEntries: PositionSet;
  /** Who holds the places that were moved, by the ticket's number. */
  holders: Map<number, Holder>;
  /** The same places by number of the last change. */
  moves: ScoredSet<number>;
  /** Links by which places were moved, by when they expire (now). */
  usedMoves: ScoredSet<string>;

  admissions: Map<string, AdmissionRecord>;
  /** Live admissions by end (flow clock). */
  live: ScoredSet<string>;
  /** Live admissions `via` idle, by when they began (now). */
  idle: ScoredSet<string>;
  /** So many of the live ones have left, nobody knows which. */
  exited: number;
  /** What may be live though nobody knows the admission (`max_active`, after a loss). Flow clock. */
  ghosts: Lapse[];
  /** During a recovery: what others remember to be live. Flow clock. */
  rememberedLapses: readonly Lapse[];
  /** Ended admissions by the time from which they may be forgotten (now). */
  ended: ScoredSet<string>;
  /** Logins whose client is to be told of the end, by when they are due (flow clock); see ended-logins.ts. */
  endedLogins: ScoredSet<string>;
  /** All admissions by number of their last change. */
  changes: ScoredSet<string>;
  changeCount: number;

  /** See `Limiter`. */
  readonly log: CountLog;
  logTotal: number;
  tatMs: number;
  /** The shared outflow in whose log this room's admissions are. */
  logGroup: string | null;
  /** Positions the limiter refused within the last 5 s (0 for bypass links), ordered; and when (flow clock), oldest first. */
  knocks: ScoredSet<number>;
  knockTimes: Map<number, number>;
  /** When the limiter last refused a place (claim clock), oldest first. */
  heldTimes: Map<number, number>;
  /** The same positions, ordered. */
  held: ScoredSet<number>;
  /** Bypass links that were used, by when they expire (now). */
  usedLinks: ScoredSet<string>;

  counts: { -readonly [K in keyof RoomCounts]: RoomCounts[K] };
  progress: ProgressBucket[];
  /** Flow clock. */
  limitChangedMs: number;
  adaptive: AdaptiveData;
  /** In a row; and when the last one was reported (flow clock). */
  health: { failures: number; successes: number; reportedMs: number };
  /** Admissions per 10 s of the flow clock. */
  outflow: { bucket: number; count: number }[];
  pull: {
    second: number;
    shown: number;
    served: number;
    marginMs: number;
    batches: ServeBatch[];
    /** Of so many places served, smoothed, so many visitors have come; and those of them counted by standing at the door. */
    called: number;
    came: number;
    standing: number;
  };

  requests: Map<string, { step: string; answer: unknown; expiresMs: number }>;
  admissionLog: AdmissionLogData;
}

export interface OidcData {
  /** `runId`: the server that the record belongs to and is lost with; null for any. */
  records: Map<string, { payload: OidcRecord; consumed: number | null; expiresMs: number; runId: string | null }>;
  /** Secondary keys: session uid or user code to id. */
  uids: Map<string, { id: string; expiresMs: number }>;
  grants: Map<string, { keys: Set<string>; revoked: boolean; expiresMs: number }>;
}

/** A shared document; version 0: it is merely known that there was one. */
export interface DocumentData {
  version: number;
  text: string;
  /** The server run that it was last seen under. */
  runId: string;
  /** 0 when it has settled. */
  settlingUntilMs: number;
}

/** The whole store. Plain data: tests copy it to take a snapshot. */
export interface MemoryData {
  /** Stands for the run id of a server. */
  runId: string;
  lives: number;
  rooms: Map<string, RoomData>;
  /** Shared outflows by id. */
  groups: Map<string, GroupData>;
  documents: Map<string, DocumentData>;
  oidc: OidcData;
  keys: Record<string, string> | null;
}

export function createMemoryData(runId: string): MemoryData {
  return {
    runId,
    lives: 0,
    rooms: new Map(),
    groups: new Map(),
    documents: new Map(),
    oidc: { records: new Map(), uids: new Map(), grants: new Map() },
    keys: null,
  };
}

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

/** A room that nobody remembers yet: held, edition 0, until memories or an operator say otherwise. */
export function createRoomData(name: string, runId: string, file: RoomSettings, nowMs: number): RoomData {
  return {
    name,
    life: "",
    runId,
    lifeStartedMs: nowMs,
    recoveringUntilMs: 0,
    remembered: false,
    isNew: false,
    pendingFile: null,
    unsettledFrom: 0,
    settlesMs: 0,
    atMs: nowMs,
    flowMs: nowMs,
    claimMs: nowMs,
    bornMs: nowMs,
    holdUntilMs: 0,
    edition: 0,
    basePhase: phaseBySchedule(file.schedule, nowMs),
    holds: ["recovered"],
    scheduleMarkMs: lastScheduleTime(file.schedule, nowMs),
    idleEndedMs: 0,
    version: 0,
    settings: { effective: file, file, live: {} },
    queued: 0,
    serving: 0,
    servingHigh: 0,
    expiredThrough: 0,
    gaps: [],
    draws: [],
    joinSeconds: [],
    joinPeak: 0,
    rows: [],
    claimed: createPositionSet(),
    left: createPositionSet(),
    usedEntries: createPositionSet(),
    holders: new Map(),
    moves: createScoredSet(),
    usedMoves: createScoredSet(),
    admissions: new Map(),
    live: createScoredSet(),
    idle: createScoredSet(),
    exited: 0,
    ghosts: [],
    rememberedLapses: [],
    ended: createScoredSet(),
    endedLogins: createScoredSet(),
    changes: createScoredSet(),
    changeCount: nowMs * 1000,
    log: createCountLog(),
    logTotal: 0,
    tatMs: 0,
    logGroup: null,
    knocks: createScoredSet(),
    knockTimes: new Map(),
    heldTimes: new Map(),
    held: createScoredSet(),
    usedLinks: createScoredSet(),
    counts: { ...noCounts },
    progress: [],
    limitChangedMs: 0,
    adaptive: createAdaptive(),
    health: { failures: 0, successes: 0, reportedMs: 0 },
    outflow: [],
    pull: { second: 0, shown: 5, served: 5, marginMs: 0, batches: [], called: 0, came: 0, standing: 0 },
    requests: new Map(),
    admissionLog: createAdmissionLog(),
  };
}
