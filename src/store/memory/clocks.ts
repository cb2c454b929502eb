import { placesBetween } from "../../core/gaps.ts";
import type { RoomData } from "./data.ts";
import { isDrawing } from "./draws.ts";
import { phaseOf } from "./phases.ts";
import { noteWaiting } from "./progress.ts";
import type { Clocks } from "./told-times.ts";

const maxStepMs = 5_000;

/** Whether any outflow limit, own or shared, is set. */
export function isLimited({ settings }: RoomData): boolean {
  const { outflowPerMinute, sharedOutflow } = settings.effective.inlet;
  return outflowPerMinute !== null || sharedOutflow !== null;
}

/** Whether the hold after a recovery still keeps everybody out. Rooms without a limit are never held. */
export function isHeld(room: RoomData): boolean {
  return isLimited(room) && room.flowMs < room.holdUntilMs;
}

/** Clock steps of more than this, and steps back, count for no more and no less. */
export function clampStep(elapsedMs: number): number {
  return Math.min(Math.max(elapsedMs, 0), maxStepMs);
}

/** What the clocks will say in a call at this time. */
export function clocksAt({ atMs, flowMs }: RoomData, nowMs: number): Clocks {
  return { atMs: nowMs, flowMs: flowMs + clampStep(nowMs - atMs) };
}

/**
 * Moves the room's clocks by the time since the last call, clamped to 0…5 s. The claim clock stands still
 * unless the room is open: while it is paused, recovering, held or drawing.
 */
export function advanceClocks(room: RoomData, nowMs: number): void {
  const elapsed = clampStep(nowMs - room.atMs);
  const wasHeld = isHeld(room);
  room.atMs = nowMs;
  room.flowMs += elapsed;
  if (phaseOf(room) !== "open" || room.recoveringUntilMs > 0 || isDrawing(room)) return;
  // A hold that ended within this step stops the claim clock only for its own part of it.
  const claimElapsed = wasHeld ? Math.min(elapsed, Math.max(0, room.flowMs - room.holdUntilMs)) : elapsed;
  room.claimMs += claimElapsed;
  const servingElapsed = servingPartMs(room, claimElapsed);
  if (servingElapsed > 0 && peopleWaiting(room) > 0) noteWaiting(room, servingElapsed);
}

function hasTimes({ settings }: RoomData): boolean {
  const { type } = settings.effective.inlet;
  return type === "periodic" || type === "adaptive";
}

/** How much of the last so many milliseconds the inlet might serve: `periodic` and `adaptive` have their times. */
function servingPartMs(room: RoomData, elapsedMs: number): number {
  const { atMs, settings } = room;
  const { startsAtMs, endsAtMs } = settings.effective.inlet;
  if (!hasTimes(room)) return elapsedMs;
  const fromMs = Math.max(atMs - elapsedMs, startsAtMs ?? Number.NEGATIVE_INFINITY);
  return Math.max(0, Math.min(atMs, endsAtMs ?? Number.POSITIVE_INFINITY) - fromMs);
}

/** Whether the inlet is between its times. */
export function isInletOn(room: RoomData): boolean {
  const { atMs, settings } = room;
  const { startsAtMs, endsAtMs } = settings.effective.inlet;
  return !hasTimes(room) || ((startsAtMs ?? 0) <= atMs && atMs < (endsAtMs ?? Number.POSITIVE_INFINITY));
}

/** Whether somebody waits and nothing holds the line. */
export function isLineMoving(room: RoomData): boolean {
  return phaseOf(room) === "open" && !isDrawing(room) && !isHeld(room) && isInletOn(room) && peopleWaiting(room) > 0;
}

/** Places that were handed out and not served. */
export function peopleWaiting({ gaps, serving, queued }: RoomData): number {
  return placesBetween(gaps, serving, queued);
}
