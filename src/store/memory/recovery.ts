import { resetAdaptive } from "../../core/adaptive/rate.ts";
import { logRecovery } from "../../core/admission-log.ts";
import { addAdvance } from "../../core/advances.ts";
import { clearBatches } from "../../core/batches.ts";
import { raiseGhosts } from "../../core/capacity.ts";
import { isLimited } from "../../core/clocks.ts";
import { followPhase, resumeDraws } from "../../core/draw/draws.ts";
import { firstComing } from "../../core/draw/marks.ts";
import { moveOver, normalizeGaps } from "../../core/gaps.ts";
import { isForgotten } from "../../core/holds.ts";
import { clearKnocks } from "../../core/knocks.ts";
import { lastScheduleTime, phaseBySchedule } from "../../core/phases.ts";
import { clearRows } from "../../core/ports/advance-rows.ts";
import type { Seen } from "../contract/known-incarnation.ts";
import type { MemoryData, RoomData } from "./data.ts";
import { applyFileSettings } from "./settings.ts";

const recoverMs = 2_500;
const holdMs = 60_000;
/** Every waiting page has asked by then; and no inlet that a limit holds after a recovery serves before. */
const settleMs = 55_000;

function newLife(data: MemoryData): string {
  data.lives++;
  return `${data.runId}.${data.lives}`;
}

/** Whether somebody has seen a later state of the room than this, under the same run of the server. */
export function isPutBack(room: RoomData, seen: Seen): boolean {
  if (room.life !== seen.incarnation) return numberOfLife(room.life) < numberOfLife(seen.incarnation);
  if (room.flowMs < seen.flowMs || room.edition < seen.edition) return true;
  return room.edition === seen.edition && room.queued < seen.queued;
}

/** Lives of one run count up; those of other runs cannot be compared. */
function numberOfLife(life: string): number {
  return Number(life.slice(life.lastIndexOf(".") + 1));
}

/** Begins a new life with its recovery. What the state says already is merged like a contribution. */
export function beginRecovery(data: MemoryData, room: RoomData, nowMs: number): void {
  room.life = newLife(data);
  room.runId = data.runId;
  room.recoveringUntilMs = room.flowMs + recoverMs;
  room.remembered = room.edition > 0;
  room.isNew = false;
  room.pendingFile = null;
  // Clients resume from the number of the last change they saw, in whatever life that was.
  room.changeCount = Math.max(room.changeCount, nowMs * 1_000);
  clearKnocks(room);
  clearBatches(room);
  resetAdaptive(room, room.adaptive.rate, room.adaptive.baselineMs);
}

/** Skips the positions that may have been handed out unseen. */
export function placeGap(room: RoomData): void {
  skipTo(room, room.queued + Math.max(1_000, 5 * joinPeak(room)));
}

/** Nobody gets the positions up to `to` any more. Open places stay open behind them; else they are a gap that is not settled. */
export function skipTo(room: RoomData, to: number): void {
  if (room.serving > room.queued) settleGaps(room);
  // Of a draw to come, the gap will be behind the entries, whoever is served already.
  const isDrawn = firstComing(room) > 0;
  const open = isDrawn ? 0 : Math.max(0, room.serving - room.queued);
  const from = room.queued + 1;
  room.gaps = normalizeGaps([...room.gaps, { from, to }]);
  room.queued = to;
  if (open > 0) room.serving = room.queued + open;
  else if (!isDrawn && (isLimited(room) || room.settings.effective.inlet.type !== "max_active")) {
    room.unsettledFrom = room.unsettledFrom === 0 ? from : Math.min(room.unsettledFrom, from);
    room.settlesMs = room.flowMs + settleMs;
  }
}

/**
 * Who stands in a gap has shown the ticket by now, and it is skipped for nothing from here on. What was served of it meanwhile
 * is served behind it.
 */
export function settleGaps(room: RoomData): void {
  const from = room.unsettledFrom;
  room.unsettledFrom = 0;
  room.settlesMs = 0;
  if (from === 0 || room.serving < from) return;
  const served = moveOver(room.gaps, from - 1, room.serving - from + 1);
  if (served <= room.serving) return;
  room.serving = served;
  addAdvance(room);
}

export function settleDueGaps(room: RoomData): void {
  if (room.settlesMs > 0 && room.flowMs >= room.settlesMs) settleGaps(room);
}

export function joinPeak(room: RoomData): number {
  const oldest = Math.floor(room.flowMs / 1_000) - 10;
  const own = room.joinSeconds.reduce((peak, s) => (s.second > oldest ? Math.max(peak, s.count) : peak), 0);
  return Math.max(own, room.recoveringUntilMs > 0 || isForgotten(room) ? room.joinPeak : 0);
}

/** Ends recovery when its time is over. */
export function finishRecovery(room: RoomData): void {
  if (room.recoveringUntilMs === 0 || room.flowMs < room.recoveringUntilMs) return;
  const isNew = room.isNew && !room.remembered;
  if (isNew) openNewRoom(room);
  else if (!isForgotten(room)) placeGap(room);
  room.recoveringUntilMs = 0;
  room.lifeStartedMs = room.atMs;
  room.holdUntilMs = isNew ? 0 : room.flowMs + holdMs;
  clearRows(room.rows);
  room.servingHigh = room.serving;
  if (room.serving > 0) addAdvance(room);
  if (room.pendingFile !== null) applyFileSettings(room, room.pendingFile);
  room.pendingFile = null;
  raiseGhosts(room);
  if (isNew) followPhase(room);
  else if (!isForgotten(room)) resumeDraws(room);
  logRecovery(room);
}

/** Opens a room for which no ticket can exist, as if it were made now: no gap, no hold. */
function openNewRoom(room: RoomData): void {
  room.claimMs = room.flowMs;
  room.bornMs = room.flowMs;
  room.edition = Math.floor(room.atMs / 1_000);
  room.basePhase = phaseBySchedule(room);
  room.scheduleMarkMs = lastScheduleTime(room);
  room.holds = [];
  room.version = 1;
}
