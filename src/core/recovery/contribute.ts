/** What a process remembers of a room: it joins the recovery, or begins one; or, afterwards, corrects what was assumed. */
import type { Seen } from "../../store/contract/room-places.ts";
import { mergeLog } from "../admission-log.ts";
import { followPhase } from "../draw/draws.ts";
import { mergeVoids } from "../draw/voids.ts";
import { mergeEvents, publishChanges } from "../events/events.ts";
import { advanceClocks, clampStep, followStock, isForgotten } from "../holds.ts";
import { carryOutSchedule } from "../phases.ts";
import { mergeKeys, mergeMoves } from "../places.ts";
import { incarnationRun } from "../ports/texts.ts";
import { addAdvance } from "../positions.ts";
import type { Room } from "../room.ts";
import { applyFileSettings } from "../settings.ts";
import { beginStatistics, interruptStatistics } from "../statistics/statistics.ts";
import { joinPeak } from "./gaps.ts";
import {
  correctDraws,
  isTicket,
  knowsMore,
  type Memory,
  mergeAdaptive,
  mergeAdmissions,
  mergeCounters,
  mergePhase,
  mergeStock,
  takeNumberIn,
  takePositionsIn,
} from "./merge.ts";
import {
  beginRecovery,
  beginRoom,
  compareWithFound,
  finishRecovery,
  isPutBack,
  recordFound,
  type Server,
} from "./recovery.ts";

/** See `Contribution`. Settings are JSON. */
export interface Offer {
  readonly file: string;
  readonly isNew: boolean;
  readonly seen: Seen;
  readonly memory: Memory | null;
}

/** Joins recovery, or adopts the current incarnation. Answers the milliseconds of recovery that remain; 0 when there is none. */
export function contribute(room: Room, offer: Offer, server: Server): number {
  const isExisting = room.incarnation !== "";
  if (!isExisting) beginRoom(room, offer.file, server.nowMs);
  const isSameRun = isExisting && room.runId === server.runId;
  const seenRun = incarnationRun(offer.seen.incarnation);
  // A room whose slot was moved goes on under the incarnation of the node before.
  const isComparable = seenRun === server.runId || (isExisting && seenRun === incarnationRun(room.incarnation));
  const isOlderState = isComparable && isPutBack(room, offer.seen);
  const found: Seen = {
    incarnation: room.incarnation,
    flowMs: room.flowMs,
    edition: room.edition,
    queued: room.queued,
  };
  const runBefore = room.runId;
  const elapsedMs = server.nowMs - room.atMs;
  advanceClocks(room, server.nowMs);
  if (isExisting && !isSameRun) catchUp(room, elapsedMs - clampStep(elapsedMs));
  if (!isSameRun || isOlderState) {
    beginRecovery(room, server, offer.seen);
    if (isExisting && !isOlderState) recordFound(room, found, runBefore);
  }
  const memory = offer.memory;
  if (room.recoveringUntilMs > 0) joinRecovery(room, offer, server);
  else {
    if (memory !== null) takeLateMemory(room, offer, memory, server);
    // That a visitor came with a ticket says nothing of whose file is the newer one.
    const isStart = memory === null || !isTicket(memory);
    if (room.recoveringUntilMs === 0 && isStart) applyFileSettings(room, offer.file);
  }
  finishRecovery(room);
  if (room.recoveringUntilMs > 0) return room.recoveringUntilMs - room.flowMs;
  carryOutSchedule(room);
  publishChanges(room);
  return 0;
}

/** Another server, or one that was away, goes on with an old state. Its admissions have ended meanwhile. */
function catchUp(room: Room, unseenMs: number): void {
  if (unseenMs <= 0) return;
  room.joinPeak = Math.max(room.joinPeak, joinPeak(room));
  room.flowMs += unseenMs;
}

function joinRecovery(room: Room, offer: Offer, server: Server): void {
  room.pendingFile = offer.file;
  compareWithFound(room, offer.seen, offer.memory);
  if (offer.memory !== null) mergeMemory(room, offer.memory);
  else if (offer.isNew) {
    room.isNew = true;
    if (!server.isShared && !room.isRemembered) room.recoveringUntilMs = room.flowMs;
  }
}

/** Merges what one process remembers by maximum. */
function mergeMemory(room: Room, memory: Memory): void {
  mergeCounters(room, memory);
  mergePhase(room, memory);
  mergeStock(room, memory);
  if (memory.adaptive !== undefined) mergeAdaptive(room, memory.adaptive);
  if (memory.log !== undefined) mergeLog(room, memory.log.last, memory.log.sealed.seq, memory.log.sealed.hash);
  if (memory.events !== undefined) mergeEvents(room, memory.events);
  mergeAdmissions(room, memory.admissions, false);
  mergeMoves(room, memory.edition, memory.queued, memory.moves);
  mergeKeys(room, memory.edition, memory.queued, memory.keys);
  room.isRemembered = true;
}

/** A memory that comes when recovery is over. */
function takeLateMemory(room: Room, offer: Offer, memory: Memory, server: Server): void {
  const wasForgotten = isForgotten(room);
  if (wasForgotten && isTicket(memory)) {
    interruptStatistics(room);
    mergeCounters(room, memory);
    beginStatistics(room, false);
    if (room.serving > room.servingHigh) addAdvance(room);
  } else if (wasForgotten || knowsMore(room, memory)) {
    beginRecovery(room, server, offer.seen);
    mergeMemory(room, memory);
    room.pendingFile = offer.file;
    return;
  } else if (memory.edition === room.edition) correctEdition(room, memory);
  if (memory.events !== undefined) mergeEvents(room, memory.events);
  mergeAdmissions(room, memory.admissions, true);
  mergeMoves(room, memory.edition, memory.queued, memory.moves);
  mergeKeys(room, memory.edition, memory.queued, memory.keys);
}

/** What it knows better of the room's edition, and nothing that another recovery would be needed for. */
function correctEdition(room: Room, memory: Memory): void {
  correctDraws(room, memory.draws);
  mergeVoids(room, memory.voids);
  if (isTicket(memory)) takeNumberIn(room, memory.queued);
  else takePositionsIn(room, memory);
  if (memory.serving > room.servingHigh) {
    room.serving = Math.max(room.serving, memory.serving);
    addAdvance(room);
  }
  const phase = room.basePhase;
  mergePhase(room, memory);
  mergeStock(room, memory);
  followStock(room);
  if (room.basePhase !== phase) followPhase(room);
}
