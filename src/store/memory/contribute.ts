import { mergeAdmissions } from "../../core/admissions/merge.ts";
import { addAdvance } from "../../core/advances.ts";
import { advanceClocks, clampStep } from "../../core/clocks.ts";
import { followPhase } from "../../core/draw/draws.ts";
import { isForgotten } from "../../core/holds.ts";
import { mergeMoves } from "../../core/moves.ts";
import { carryOutSchedule } from "../../core/phases.ts";
import { correctDraws } from "../../core/recovery/draw-merge.ts";
import { joinPeak } from "../../core/recovery/gaps.ts";
import { isTicket, knowsMore, mergeCounters, takeNumberIn, takePositionsIn } from "../../core/recovery/merge.ts";
import { applyFileSettings } from "../../core/settings.ts";
import { stableText } from "../../lib/stable-text.ts";
import type { Contribution, RoomMemory } from "../contract/room-store.ts";
import { createRoomData, type MemoryData, type RoomData } from "./data.ts";
import { mergeMemory, mergePhase } from "./merge.ts";
import { beginRecovery, finishRecovery, isPutBack } from "./recovery.ts";

/**
 * Joins recovery with what a process remembers, or adopts the current incarnation.
 *
 * @param isShared Whether others may remember the room, who must be waited for.
 */
export function contribute(data: MemoryData, contribution: Contribution, nowMs: number, isShared: boolean) {
  const room = presentRoom(data, contribution, nowMs);
  if (room.recoveringUntilMs > 0) joinRecovery(room, contribution, isShared);
  else {
    const { memory, fileSettings } = contribution;
    if (memory !== null) takeLateMemory(data, room, memory, nowMs);
    if (room.recoveringUntilMs > 0) room.pendingFile = fileSettings;
    // That a visitor came with a ticket says nothing of whose file is the newer one.
    else if (memory === null || !isTicket(memory)) applyFileSettings(room, stableText(fileSettings));
  }
  finishRecovery(room);
  if (room.recoveringUntilMs === 0) carryOutSchedule(room);
  const remainingMs = room.recoveringUntilMs === 0 ? 0 : room.recoveringUntilMs - room.flowMs;
  return { incarnation: room.incarnation, recovering: remainingMs > 0, remainingMs };
}

/** The room's state in the incarnation of the running server; recovery begins when there is none. */
function presentRoom(data: MemoryData, contribution: Contribution, nowMs: number): RoomData {
  const known = data.rooms.get(contribution.room);
  const room = known ?? createRoomData(contribution.room, data.runId, contribution.fileSettings, nowMs);
  const { seen = null } = contribution;
  const isOlder = seen?.incarnation.startsWith(`${data.runId}.`) === true && isPutBack(room, seen);
  const unseenMs = room.runId === data.runId ? 0 : nowMs - room.atMs - clampStep(nowMs - room.atMs);
  advanceClocks(room, nowMs);
  if (unseenMs > 0) catchUp(room, unseenMs);
  if (known === undefined || room.runId !== data.runId || isOlder) beginRecovery(data, room, nowMs);
  data.rooms.set(contribution.room, room);
  return room;
}

/** Another server, or one that was away, goes on with an old state. Its admissions have ended meanwhile. */
function catchUp(room: RoomData, unseenMs: number): void {
  room.joinPeak = Math.max(room.joinPeak, joinPeak(room));
  room.flowMs += unseenMs;
}

function joinRecovery(room: RoomData, contribution: Contribution, isShared: boolean): void {
  room.pendingFile = contribution.fileSettings;
  if (contribution.memory !== null) {
    mergeMemory(room, contribution.memory);
    room.remembered = true;
  } else if (contribution.isNewRoom) {
    room.isNew = true;
    if (!isShared && !room.remembered) room.recoveringUntilMs = room.flowMs;
  }
}

/** A memory that comes when recovery is over. */
function takeLateMemory(data: MemoryData, room: RoomData, memory: RoomMemory, nowMs: number): void {
  const wasForgotten = isForgotten(room);
  if (wasForgotten && isTicket(memory)) {
    mergeCounters(room, memory);
    if (room.serving > room.servingHigh) addAdvance(room);
  } else if (wasForgotten || knowsMore(room, memory)) {
    beginRecovery(data, room, nowMs);
    mergeMemory(room, memory);
    room.remembered = true;
    return;
  } else if (memory.edition === room.edition) {
    correctDraws(room, memory.draws ?? []);
    if (isTicket(memory)) takeNumberIn(room, memory.queued);
    else takePositionsIn(room, memory);
    if (memory.serving > room.servingHigh) {
      room.serving = Math.max(room.serving, memory.serving);
      addAdvance(room);
    }
    const { basePhase } = room;
    mergePhase(room, memory);
    if (room.basePhase !== basePhase) followPhase(room);
  }
  mergeAdmissions(room, memory.admissions, room.incarnationStartedMs);
  mergeMoves(room, memory.edition, memory.queued, memory.moves);
}
