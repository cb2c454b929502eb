import type { Contribution, RoomMemory } from "../room-store.ts";
import { addAdvance } from "./advances.ts";
import { advanceClocks, clampStep } from "./clocks.ts";
import { createRoomData, type MemoryData, type RoomData } from "./data.ts";
import { correctDraws, gapsAfterMerge, knowsMoreOfDraws } from "./draw-merge.ts";
import { firstComing, followPhase } from "./draws.ts";
import { agreedGaps, normalizeGaps } from "./gaps.ts";
import { isTicket, mergeAdmissions, mergeCounters, mergeMemory, mergePhase } from "./merge.ts";
import { mergeMoves } from "./moves.ts";
import { carryOutSchedule, isForgotten } from "./phases.ts";
import { beginRecovery, finishRecovery, joinPeak } from "./recovery.ts";
import { applyFileSettings } from "./settings.ts";

/**
 * Joins recovery with what a process remembers, or adopts the current life.
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
    else if (memory === null || !isTicket(memory)) applyFileSettings(room, fileSettings);
  }
  finishRecovery(room);
  if (room.recoveringUntilMs === 0) carryOutSchedule(room);
  const remainingMs = room.recoveringUntilMs === 0 ? 0 : room.recoveringUntilMs - room.flowMs;
  return { life: room.life, recovering: remainingMs > 0, remainingMs };
}

/** The room's state in the life of the running server; recovery begins when there is none. */
function presentRoom(data: MemoryData, contribution: Contribution, nowMs: number): RoomData {
  const known = data.rooms.get(contribution.room);
  const room = known ?? createRoomData(contribution.room, data.runId, contribution.fileSettings, nowMs);
  const unseenMs = room.runId === data.runId ? 0 : nowMs - room.atMs - clampStep(nowMs - room.atMs);
  advanceClocks(room, nowMs);
  if (unseenMs > 0) catchUp(room, unseenMs);
  if (known === undefined || room.runId !== data.runId) beginRecovery(data, room, nowMs);
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
    correctDraws(room, memory.draws);
    if (isTicket(memory)) takeEntryIn(room, memory.queued);
    else shrinkGaps(room, memory);
    correctGap(room, memory);
    const { basePhase } = room;
    mergePhase(room, memory);
    if (room.basePhase !== basePhase) followPhase(room);
  }
  mergeAdmissions(room, memory.admissions, room.lifeStartedMs);
  mergeMoves(room, memory);
}

function knowsMore(room: RoomData, memory: RoomMemory): boolean {
  if (memory.edition !== room.edition) return memory.edition > room.edition;
  if (memory.queued > room.queued || knowsMoreOfDraws(room, memory.draws)) return true;
  return memory.serving > room.servingHigh && !isInGap(room, memory.queued);
}

function isInGap(room: RoomData, position: number): boolean {
  return room.recoveryGap !== null && position >= room.recoveryGap.from && position <= room.recoveryGap.to;
}

/** Whatever loss made a gap: up to what the memory knows there is none but where it has one, too. */
function shrinkGaps(room: RoomData, memory: RoomMemory): void {
  const theirs = gapsAfterMerge(memory.gaps, memory.draws ?? [], room.draws);
  room.gaps = normalizeGaps(agreedGaps(room.gaps, theirs, memory.queued));
}

/**
 * A ticket proves that its number was handed out, and so were those before it: in a draw to come they are no gap, or their holders
 * would be left out.
 */
function takeEntryIn(room: RoomData, number: number): void {
  const first = firstComing(room);
  if (first === 0 || number < first) return;
  room.gaps = normalizeGaps(
    room.gaps.flatMap((gap) => {
      if (number < gap.from || number > gap.to) return [gap];
      return [
        { from: gap.from, to: first - 1 },
        { from: number + 1, to: gap.to },
      ];
    }),
  );
}

/** The start of recovery's gap moves up behind a position that turns out to have been handed out. */
function correctGap(room: RoomData, memory: RoomMemory): void {
  const gap = room.recoveryGap;
  if (gap === null || memory.queued < gap.from) return;
  room.gaps = normalizeGaps(
    room.gaps.map((g) => (g.to === gap.to ? { from: Math.max(g.from, memory.queued + 1), to: g.to } : g)),
  );
  room.recoveryGap = memory.queued < gap.to ? { from: memory.queued + 1, to: gap.to } : null;
  if (memory.serving <= room.servingHigh) return;
  room.serving = memory.serving;
  addAdvance(room);
}
