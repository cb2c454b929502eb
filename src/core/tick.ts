/** Keeps the room moving (inlet, lapses, pruning; each bounded, and counted once however many processes call), and reports its state and changes. */

import type { AdaptiveState, MovedPlace, RoomState } from "../store/contract/room-state.ts";
import type { WantedAdmissions } from "../store/contract/room-store.ts";
import { adaptiveState, adaptRate } from "./adaptive.ts";
import { logCounts, logSituation } from "./admission-log.ts";
import { lapseAdmissions, lapseOf, pruneEnded } from "./admissions.ts";
import { publishNews } from "./events/events.ts";
import { planLimit, recordDemand } from "./groups.ts";
import { isLimited, peopleWaiting, phaseOf, phaseReason } from "./holds.ts";
import { liveCount, liveLapses, pruneUnaccounted, runInlet } from "./inlet.ts";
import { pruneLog } from "./limiter.ts";
import { type AdmissionRecord, readRecord } from "./ports/lists.ts";
import { membersBetween, type ScoredSet, scoreOf, sizeOf } from "./ports/sets.ts";
import { absentPlaces, expireAdvances, prunePendingClaims } from "./positions.ts";
import { enteringShare, measuredOutflow, pendingPlaces, peopleAtDoor, progressOf } from "./progress.ts";
import { joinPeak } from "./recovery/gaps.ts";
import type { Room } from "./room.ts";
import { presenceOf } from "./statistics/presence.ts";

export const maxPerTick = 500;

export function moveRoom(room: Room): void {
  prunePendingClaims(room, 1_000);
  pruneLog(room);
  lapseAdmissions(room, maxPerTick);
  pruneUnaccounted(room);
  recordDemand(room, peopleWaiting(room) > 0 || sizeOf(room.pendingClaims) > 0);
  adaptRate(room);
  runInlet(room);
  expireAdvances(room, maxPerTick);
  pruneEnded(room, maxPerTick);
  logSituation(room);
  logCounts(room);
  publishNews(room);
}

// What is reported of a room.

/** The state but for settings and draws, which a store has as JSON. */
export interface ReportedState extends Omit<RoomState, "settings" | "draws" | "voids" | "adaptive"> {
  readonly adaptive: AdaptiveState | null;
}

export function reportState(room: Room): ReportedState {
  return {
    incarnation: room.incarnation,
    incarnationStartedMs: room.incarnationStartedMs,
    server: { runId: room.runId, runsBefore: room.runsBefore, lostMs: room.lostMs },
    edition: room.edition,
    phase: phaseOf(room),
    phaseReason: phaseReason(room),
    basePhase: room.basePhase,
    phaseSinceMs: room.phaseSinceMs,
    holds: room.holds,
    scheduleMarkMs: room.scheduleMarkMs,
    idleEndedMs: room.idleEndedMs,
    version: room.version,
    stock: { left: room.stockLeft, asOfMs: room.stockAsOfMs, mark: room.stockMark },
    queued: room.queued,
    voidedEntries: room.voidedEntries,
    serving: room.serving,
    gaps: room.gaps.filter((gap) => gap.to > room.serving),
    expiredThrough: room.expiredThrough,
    liveAdmissions: liveCount(room),
    liveLapses: liveLapses(room),
    pending: pendingPlaces(room),
    readyToEnter: peopleAtDoor(room),
    enteringShare: enteringShare(room),
    absent: absentPlaces(room),
    counts: room.counts,
    progress: progressOf(room),
    outflowPerMinute: measuredOutflow(room),
    adaptive: adaptiveState(room),
    planLimitPerMinute: planLimit(room),
    limitChangedMs: room.limitChangedMs,
    joinsPerSecondPeak: joinPeak(room),
    healthReportedMs: room.health.reportedMs,
    flowMs: room.flowMs,
    claimMs: room.claimMs,
    nowMs: room.atMs,
    holdRemainingMs: isLimited(room) ? Math.max(0, room.holdUntilMs - room.flowMs) : 0,
    statisticsSlot: room.statistics.slot,
    presence: presenceOf(room),
    events: { last: room.eventLast, told: room.told, toldDraws: room.toldDraws },
    log: { last: room.logLast, sealed: { seq: room.logSealedSeq, hash: room.logSealedHash } },
  };
}

// What has changed since a process asked last: admissions on record and moved places, by the number of their last change.

/** Looked at in one call, where only some are wanted. */
const looksMax = 1_000;

interface Changes<M> {
  readonly members: M[];
  /** Of the last one, or of the room where there are no more. */
  readonly cursor: number;
  readonly more: boolean;
}

/** Those changed after `since`, oldest change first, at most `limit`. */
export function changesSince<M extends string | number>(
  room: Room,
  changes: ScoredSet<M>,
  since: number,
  limit: number,
): Changes<M> {
  // A number from the future is of another history: everything is news to that caller.
  const after = since > room.changeCount ? 0 : since;
  const members = membersBetween(changes, after + 1, room.changeCount, limit + 1);
  if (members.length <= limit) return { members, cursor: room.changeCount, more: false };
  members.pop();
  const last = members[members.length - 1];
  if (last === undefined) return { members, cursor: after, more: true };
  return { members, cursor: scoreOf(changes, last) ?? after, more: true };
}

/** Who holds these places, by their numbers. */
export function movedPlaces(room: Room, numbers: readonly number[]): MovedPlace[] {
  const moves: MovedPlace[] = [];
  for (const number of numbers) {
    const moved = readRecord(room.holders, number);
    if (moved !== null) moves.push(moved);
  }
  return moves;
}

function isWanted(room: Room, record: AdmissionRecord, wanted: WantedAdmissions): boolean {
  const status = record.ended ?? lapseOf(room, record) ?? "live";
  if (wanted.status !== undefined && wanted.status !== status) return false;
  const edition = wanted.edition;
  return edition === undefined || (record.edition === edition.id) !== edition.isOthers;
}

interface AdmissionPage {
  readonly records: AdmissionRecord[];
  /** Null where there are no more. */
  readonly cursor: number | null;
}

/** A page of the admissions that are wanted. Where only some are, at most 1,000 are looked at. */
export function listAdmissions(room: Room, since: number, limit: number, wanted: WantedAdmissions): AdmissionPage {
  const areAllWanted = wanted.status === undefined && wanted.edition === undefined;
  const page = changesSince(room, room.changes, since, areAllWanted ? limit : looksMax);
  const records: AdmissionRecord[] = [];
  let last = "";
  for (const sub of page.members) {
    if (records.length >= limit) return { records, cursor: scoreOf(room.changes, last) };
    const record = readRecord(room.admissions, sub);
    if (record !== null && isWanted(room, record, wanted)) records.push(record);
    last = sub;
  }
  return { records, cursor: page.more ? page.cursor : null };
}
