/** A room whose state is new or was lost: what it begins with, how its recovery begins and ends, and whether nothing was lost after all. */
import type { Seen } from "../../store/contract/room-places.ts";
import { resetAdaptive } from "../adaptive.ts";
import { logRecovery } from "../admission-log.ts";
import { closeEntries, followPhase, resumeDraws } from "../draw/draws.ts";
import { publishChanges, publishRecovery } from "../events/events.ts";
import { areEntriesOver, followStock, isForgotten } from "../holds.ts";
import { addUnaccounted } from "../inlet.ts";
import { carryOutSchedule, isScheduleDue, lastScheduleTime, phaseBySchedule } from "../phases.ts";
import { createAdvanceRows } from "../ports/lists.ts";
import { decodeSettings, incarnationNumber, incarnationRun, textOf } from "../ports/texts.ts";
import { addAdvance, clearPendingClaims, lastHandedOut } from "../positions.ts";
import { clearBatches } from "../progress.ts";
import { clearState, type Room } from "../room.ts";
import { applyFileSettings, setRules } from "../settings.ts";
import { beginStatistics, interruptStatistics } from "../statistics/statistics.ts";
import { areGapsDue, placeGap, settleGaps, voidEdition } from "./gaps.ts";
import type { Memory } from "./merge.ts";

const recoverMs = 2_500;
const holdMs = 60_000;

/** The server that keeps the state. */
export interface Server {
  readonly runId: string;
  readonly nowMs: number;
  /** For an incarnation that begins now. It grows, as long as the server's clock is not set back. */
  readonly nextNumber: number;
  /** Whether others may remember a room, who must be waited for. */
  readonly isShared: boolean;
  /** Whether the limiter's log has every admission of the last minute, whatever else was lost. */
  readonly isLogWhole: boolean;
}

/** Whether somebody has seen a later state of the room than this, under the same run of the server. */
export function isPutBack(room: Room, seen: Seen): boolean {
  if (room.incarnation !== seen.incarnation) {
    return incarnationNumber(room.incarnation) < incarnationNumber(seen.incarnation);
  }
  if (room.flowMs < seen.flowMs || room.edition < seen.edition) return true;
  return room.edition === seen.edition && room.queued < seen.queued;
}

/** A room that nobody remembers yet: held, edition 0, in the phase that its schedule says. */
export function beginRoom(room: Room, file: string, nowMs: number): void {
  clearState(room);
  room.atMs = nowMs;
  room.flowMs = nowMs;
  room.claimMs = nowMs;
  room.bornMs = nowMs;
  room.incarnationStartedMs = nowMs;
  room.holds = ["recovered"];
  room.pull.shown = 5;
  room.pull.served = 5;
  room.file = file;
  room.liveChanges = "{}";
  room.effective = file;
  setRules(room, decodeSettings(file));
  room.basePhase = phaseBySchedule(room);
  room.scheduleMarkMs = lastScheduleTime(room);
  room.adaptive.decision = "hold";
  room.adaptive.reason = "no_data";
  voidEdition(room, 0);
}

/** The number behind one of the server's run; 0 for another run's. */
function numberAfter(incarnation: string, server: Server): number {
  return incarnationRun(incarnation) === server.runId ? incarnationNumber(incarnation) + 1 : 0;
}

/**
 * Begins a new incarnation with its recovery. What the state says already is merged like a contribution. Its number is greater than any
 * that is known of the run, even where the clock was set back. Otherwise each process that has seen a greater one would begin another recovery.
 */
export function beginRecovery(room: Room, server: Server, seen: Seen): void {
  interruptStatistics(room);
  const number = Math.max(
    server.nextNumber,
    numberAfter(room.incarnation, server),
    numberAfter(seen.incarnation, server),
  );
  room.incarnation = `${server.runId}.${textOf(number)}`;
  room.runId = server.runId;
  room.recoveringUntilMs = room.flowMs + recoverMs;
  room.isRemembered = room.edition > 0;
  room.isNew = false;
  room.isLogWhole = server.isLogWhole;
  room.isWhole = false;
  room.pendingFile = "";
  // Clients resume from the number of the last change they saw, in whatever incarnation that was.
  room.changeCount = Math.max(room.changeCount, room.atMs * 1_000);
  clearPendingClaims(room);
  clearBatches(room);
  resetAdaptive(room, room.adaptive.rate, room.adaptive.baselineMs);
}

/** Opens a room for which no ticket can exist, as if it were made now: no gap, no hold. */
function openNewRoom(room: Room): void {
  room.claimMs = room.flowMs;
  room.bornMs = room.flowMs;
  room.edition = Math.floor(room.atMs / 1_000);
  room.basePhase = phaseBySchedule(room);
  room.scheduleMarkMs = lastScheduleTime(room);
  room.holds = [];
  room.version = 1;
}

/** What was made before is void, unless nothing was lost. */
function endBefore(room: Room, isNew: boolean): void {
  if (room.isWhole && room.isWitnessed) {
    if (room.linksFromMs === 0) room.linksFromMs = room.incarnationStartedMs;
    return;
  }
  room.linksFromMs = room.atMs;
  if (isNew) return;
  room.runsBefore = [];
  // Each is later than the one before, also where the wall clock was set back.
  room.lostMs = Math.max(room.atMs, room.lostMs + 1);
}

/** Ends recovery when its time is over. */
export function finishRecovery(room: Room): void {
  if (room.recoveringUntilMs === 0 || room.flowMs < room.recoveringUntilMs) return;
  const isNew = room.isNew && !room.isRemembered;
  if (isNew) openNewRoom(room);
  else if (!isForgotten(room)) placeGap(room);
  room.recoveringUntilMs = 0;
  endBefore(room, isNew);
  room.incarnationStartedMs = room.atMs;
  room.holdUntilMs = isNew || room.isLogWhole ? 0 : room.flowMs + holdMs;
  room.rows = createAdvanceRows();
  room.servingHigh = room.serving;
  if (room.serving > 0) addAdvance(room);
  if (room.pendingFile !== "") applyFileSettings(room, room.pendingFile);
  room.pendingFile = "";
  addUnaccounted(room);
  if (isNew) followPhase(room);
  else if (!isForgotten(room)) resumeDraws(room);
  followStock(room);
  logRecovery(room);
  beginStatistics(room, isNew);
  room.figuresMs = room.flowMs;
  if (!isNew) publishRecovery(room);
  publishChanges(room);
}

/** Whether a recovery or the entries of a draw are over, a gap is settled, or the schedule says something. */
function areTransitionsDue(room: Room): boolean {
  return room.recoveringUntilMs > 0 || areEntriesOver(room) || areGapsDue(room) || isScheduleDue(room);
}

/** Every operation does so before all else: what is due is carried out, unless the room still recovers. */
export function applyTransitions(room: Room): void {
  if (!areTransitionsDue(room)) return;
  finishRecovery(room);
  if (room.recoveringUntilMs > 0) return;
  closeEntries(room);
  if (areGapsDue(room)) settleGaps(room);
  carryOutSchedule(room);
  publishChanges(room);
}

// Whether a room that another run of the server goes on with is whole: nobody in its recovery knows of anything later than the state that
// was found, and somebody has seen the room until shortly before. Then what was used is known, and nothing that was not used has to be void.

/** A process that saw the room within this time before it was found knows that it was not set back: processes look every second. */
const witnessMs = 10_000;
/** Restarts and moved slots that are remembered. */
const runsMost = 10;

/** A recovery begins with a state that nobody is known to have seen a later one of. @param found as it was, before any clock moved */
export function recordFound(room: Room, found: Seen, run: string): void {
  room.isWhole = true;
  room.isWitnessed = false;
  room.foundIncarnation = found.incarnation;
  room.foundFlowMs = found.flowMs;
  room.foundEdition = found.edition;
  room.foundQueued = found.queued;
  goOnFrom(room, run);
}

/** What was written under that run of a server is good as long as nothing is lost. */
function goOnFrom(room: Room, run: string): void {
  const others = room.runsBefore.filter((other) => other !== run);
  const runs: string[] = [];
  let left = others.length;
  for (const other of others) {
    if (left < runsMost) runs.push(other);
    left--;
  }
  runs.push(run);
  room.runsBefore = runs;
}

/** Compares what joins the recovery with the state that was found. */
export function compareWithFound(room: Room, seen: Seen, memory: Memory | null): void {
  if (!room.isWhole) return;
  if (isBeyond(room, seen) || (memory !== null && knowsBeyond(room, memory))) room.isWhole = false;
  else if (seen.incarnation === room.foundIncarnation && seen.flowMs + witnessMs >= room.foundFlowMs) {
    room.isWitnessed = true;
  }
}

function isBeyond(room: Room, seen: Seen): boolean {
  if (seen.incarnation === "" || seen.incarnation === room.incarnation) return false;
  if (seen.incarnation !== room.foundIncarnation) {
    // Of another run nobody can tell which is later.
    if (incarnationRun(seen.incarnation) !== incarnationRun(room.foundIncarnation)) return true;
    return incarnationNumber(seen.incarnation) > incarnationNumber(room.foundIncarnation);
  }
  if (seen.flowMs > room.foundFlowMs || seen.edition > room.foundEdition) return true;
  return seen.edition === room.foundEdition && seen.queued > room.foundQueued;
}

function knowsBeyond(room: Room, memory: Memory): boolean {
  if (memory.edition !== room.foundEdition) return memory.edition > room.foundEdition;
  return lastHandedOut(memory.gaps, memory.queued) > room.foundQueued;
}
