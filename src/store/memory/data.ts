import { lastScheduleTime, phaseBySchedule } from "../../core/phases.ts";
import { createAdvanceRows } from "../../core/ports/advance-rows.ts";
import { createCountLog } from "../../core/ports/count-log.ts";
import { createHolders } from "../../core/ports/holders.ts";
import { createLogStream } from "../../core/ports/log-stream.ts";
import { createPositionSet } from "../../core/ports/position-set.ts";
import { createRecords } from "../../core/ports/records.ts";
import { createScoredSet } from "../../core/ports/scored-set.ts";
import type { AdaptiveData, Group, Room, RoomRules } from "../../core/room.ts";
import { setRules } from "../../core/rules.ts";
import { stableText } from "../../lib/stable-text.ts";
import type { OidcRecord, RoomCounts, RoomSettings } from "../contract/room-store.ts";

export type GroupData = Group;

/** All that the store keeps of one room. Mirrors the room's keys in Redis. */
export interface RoomData extends Room {
  readonly name: string;
  runId: string;
  remembered: boolean;
  /** Whether anyone said during this recovery that no ticket of the room can exist. */
  isNew: boolean;
  /** The configuration file's settings offered during recovery; laid down at its end. */
  pendingFile: RoomSettings | null;
  requests: Map<string, { step: string; answer: unknown; expiresMs: number }>;
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
  incarnations: number;
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
    incarnations: 0,
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
  const room: RoomData = {
    name,
    incarnation: "",
    runId,
    incarnationStartedMs: nowMs,
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
    basePhase: "idle",
    holds: ["recovered"],
    scheduleMarkMs: 0,
    idleEndedMs: 0,
    version: 0,
    effective: stableText(file),
    file: stableText(file),
    liveChanges: "{}",
    ...noRules,
    queued: 0,
    serving: 0,
    servingHigh: 0,
    expiredThrough: 0,
    gaps: [],
    draws: [],
    drawMarks: [],
    joinSeconds: [],
    joinPeak: 0,
    rows: createAdvanceRows(),
    claimedPlaces: createPositionSet(),
    leftPlaces: createPositionSet(),
    usedEntries: createPositionSet(),
    holders: createHolders(),
    moves: createScoredSet(),
    usedMoves: createScoredSet(),
    admissions: createRecords(),
    live: createScoredSet(),
    idle: createScoredSet(),
    exited: 0,
    unaccounted: [],
    rememberedLapses: [],
    ended: createScoredSet(),
    endedLogins: createScoredSet(),
    changes: createScoredSet(),
    changeCount: nowMs * 1000,
    log: createCountLog(),
    logTotal: 0,
    tatMs: 0,
    logGroup: "",
    pendingClaims: createScoredSet(),
    pendingClaimTimes: createScoredSet(),
    heldTimes: createScoredSet(),
    held: createScoredSet(),
    usedLinks: createScoredSet(),
    counts: { ...noCounts },
    progressNow: { bucket: 0, spanMs: 0, served: 0, entered: 0, endedEarly: 0 },
    progress: [],
    limitChangedMs: 0,
    adaptive: createAdaptive(),
    health: { failures: 0, successes: 0, reportedMs: 0 },
    outflow: [],
    batches: [],
    pull: { second: 0, shown: 5, served: 5, marginMs: 0, called: 0, came: 0, standing: 0 },
    requests: new Map(),
    admissionLog: createLogStream(),
    logLast: 0,
    logSealedSeq: 0,
    logSealedHash: "",
    logBaseSeq: 0,
    logBaseHash: "",
    logHeard: 0,
    logNoted: "",
    logCounts: "",
    logCountsMs: 0,
  };
  setRules(room, file);
  room.basePhase = phaseBySchedule(room);
  room.scheduleMarkMs = lastScheduleTime(room);
  return room;
}

/** Before `setRules`. */
const noRules: RoomRules = {
  inletType: "manual",
  limit: null,
  maxActive: null,
  startsAtMs: null,
  endsAtMs: null,
  sharedId: "",
  sharedLimit: null,
  sharedWeight: null,
  unhealthyAfter: null,
  healthyAfter: null,
  prequeueAtMs: null,
  opensAtMs: null,
  closesAtMs: null,
  whenIdle: "page",
  whenEnded: "page",
  maxWaiting: null,
  durationMs: 0,
  maxDurationMs: null,
  claimWithinMs: 0,
  loginsPerAdmission: 0,
  addressesPerAdmission: null,
  logRowsMax: null,
  drawOrder: "",
  drawBeacon: "",
  rateFloor: 0,
  rateStart: 0,
  rateStep: 0,
  targetMs: null,
  targetTimes: null,
  errorLimit: 0,
  decideEveryMs: 0,
};

function createAdaptive(): AdaptiveData {
  return {
    rate: 0,
    sinceMs: 0,
    decreasedMs: 0,
    raisedMs: 0,
    strainedRate: 0,
    floorMs: 0,
    probes: [],
    reports: [],
    errorSum: 0,
    errorCount: 0,
    heard: 0,
    tried: 0,
    failed: 0,
    probedMs: 0,
    dataMs: 0,
    measuredMs: 0,
    latencyMs: null,
    trendMs: 0,
    errorRate: null,
    baselineMs: null,
    admittedNow: 0,
    admitted: 0,
    expected: 0,
    spanMs: 0,
    decision: "hold",
    reason: "no_data",
    decidedMs: 0,
  };
}
