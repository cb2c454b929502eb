import { resetAdaptive } from "../../core/adaptive/rate.ts";
import { logRecovery } from "../../core/admission-log.ts";
import { addAdvance } from "../../core/advances.ts";
import { clearBatches } from "../../core/batches.ts";
import { addUnaccounted } from "../../core/capacity.ts";
import { followPhase, resumeDraws } from "../../core/draw/draws.ts";
import { isForgotten } from "../../core/holds.ts";
import { clearPendingClaims } from "../../core/pending-claims.ts";
import { lastScheduleTime, phaseBySchedule } from "../../core/phases.ts";
import { clearRows } from "../../core/ports/advance-rows.ts";
import { placeGap } from "../../core/recovery/gaps.ts";
import { applyFileSettings } from "../../core/settings.ts";
import { stableText } from "../../lib/stable-text.ts";
import type { Seen } from "../contract/known-incarnation.ts";
import type { MemoryData, RoomData } from "./data.ts";

const recoverMs = 2_500;
const holdMs = 60_000;

function newIncarnation(data: MemoryData): string {
  data.incarnations++;
  return `${data.runId}.${data.incarnations}`;
}

/** Whether somebody has seen a later state of the room than this, under the same run of the server. */
export function isPutBack(room: RoomData, seen: Seen): boolean {
  if (room.incarnation !== seen.incarnation)
    return numberOfIncarnation(room.incarnation) < numberOfIncarnation(seen.incarnation);
  if (room.flowMs < seen.flowMs || room.edition < seen.edition) return true;
  return room.edition === seen.edition && room.queued < seen.queued;
}

/** Lives of one run count up; those of other runs cannot be compared. */
function numberOfIncarnation(incarnation: string): number {
  return Number(incarnation.slice(incarnation.lastIndexOf(".") + 1));
}

/** Begins a new incarnation with its recovery. What the state says already is merged like a contribution. */
export function beginRecovery(data: MemoryData, room: RoomData, nowMs: number): void {
  room.incarnation = newIncarnation(data);
  room.runId = data.runId;
  room.recoveringUntilMs = room.flowMs + recoverMs;
  room.remembered = room.edition > 0;
  room.isNew = false;
  room.pendingFile = null;
  // Clients resume from the number of the last change they saw, in whatever incarnation that was.
  room.changeCount = Math.max(room.changeCount, nowMs * 1_000);
  clearPendingClaims(room);
  clearBatches(room);
  resetAdaptive(room, room.adaptive.rate, room.adaptive.baselineMs);
}

/** Ends recovery when its time is over. */
export function finishRecovery(room: RoomData): void {
  if (room.recoveringUntilMs === 0 || room.flowMs < room.recoveringUntilMs) return;
  const isNew = room.isNew && !room.remembered;
  if (isNew) openNewRoom(room);
  else if (!isForgotten(room)) placeGap(room);
  room.recoveringUntilMs = 0;
  room.incarnationStartedMs = room.atMs;
  room.holdUntilMs = isNew ? 0 : room.flowMs + holdMs;
  clearRows(room.rows);
  room.servingHigh = room.serving;
  if (room.serving > 0) addAdvance(room);
  if (room.pendingFile !== null) applyFileSettings(room, stableText(room.pendingFile));
  room.pendingFile = null;
  addUnaccounted(room);
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
