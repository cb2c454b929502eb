/**
 * The room's clocks. The flow clock is the wall clock without its jumps, so an idle night, an outage or a clock step neither releases a flood of
 * visitors nor ends admissions. Only when another run of the server continues with an old state does it catch up. The claim clock also stands
 * still while places cannot be claimed. Both begin at the wall clock's time when a room is created.
 */

import type { AdmissionEnd } from "../store/contract/room-places.ts";
import { placesBetween } from "./gaps.ts";
import { isDrawing, phaseOf } from "./holds.ts";
import type { AdmissionRecord } from "./ports/records.ts";
import { recordWaiting } from "./progress.ts";
import type { Room } from "./room.ts";

const maxStepMs = 5_000;

/** Whether any outflow limit, own or shared, is set. */
export function isLimited(room: Room): boolean {
  return room.limit !== null || room.sharedId !== "";
}

/** Whether the hold after a recovery still keeps everybody out. Rooms without a limit are never held. */
export function isOnHold(room: Room): boolean {
  return isLimited(room) && room.flowMs < room.holdUntilMs;
}

/** Clock steps of more than this, and steps back, count for no more and no less. */
export function clampStep(elapsedMs: number): number {
  return Math.min(Math.max(elapsedMs, 0), maxStepMs);
}

/**
 * Moves the room's clocks by the time since the last call, clamped to 0…5 s. The claim clock stands still
 * unless the room is open: while it is paused, recovering, held or drawing.
 */
export function advanceClocks(room: Room, nowMs: number): void {
  if (nowMs === room.atMs) return;
  const elapsedMs = clampStep(nowMs - room.atMs);
  const wasOnHold = isOnHold(room);
  keepNumbersBehind(room, nowMs);
  room.atMs = nowMs;
  room.flowMs += elapsedMs;
  if (phaseOf(room) !== "open" || room.recoveringUntilMs > 0 || isDrawing(room)) return;
  // A hold that ended within this step stops the claim clock only for its own part of it.
  const claimElapsedMs = wasOnHold ? Math.min(elapsedMs, Math.max(0, room.flowMs - room.holdUntilMs)) : elapsedMs;
  room.claimMs += claimElapsedMs;
  const servingElapsedMs = servingPartMs(room, claimElapsedMs);
  if (servingElapsedMs > 0 && peopleWaiting(room) > 0) recordWaiting(room, servingElapsedMs);
}

/**
 * Readers of events were told that they have had all with a number up to the time. So where the clock is set back, the next
 * event gets a number behind that time.
 */
function keepNumbersBehind(room: Room, nowMs: number): void {
  if (nowMs < room.atMs) room.eventLast = Math.max(room.eventLast, room.atMs * 10);
}

function hasTimes(room: Room): boolean {
  return room.inletType === "periodic" || room.inletType === "adaptive";
}

/** How much of the last so many milliseconds the inlet might serve: `periodic` and `adaptive` have their times. */
function servingPartMs(room: Room, elapsedMs: number): number {
  if (!hasTimes(room)) return elapsedMs;
  const fromMs = Math.max(room.atMs - elapsedMs, room.startsAtMs ?? 0);
  return Math.max(0, Math.min(room.atMs, room.endsAtMs ?? room.atMs) - fromMs);
}

/** Whether the inlet is between its times. */
export function isInletOn(room: Room): boolean {
  if (!hasTimes(room)) return true;
  if (room.startsAtMs !== null && room.atMs < room.startsAtMs) return false;
  return room.endsAtMs === null || room.atMs < room.endsAtMs;
}

/** Whether somebody waits and nothing holds the line. */
export function isLineMoving(room: Room): boolean {
  return phaseOf(room) === "open" && !isDrawing(room) && !isOnHold(room) && isInletOn(room) && peopleWaiting(room) > 0;
}

/** Places that were handed out and not served; entries that are voided hold nobody. */
export function peopleWaiting(room: Room): number {
  return Math.max(0, placesBetween(room.gaps, room.serving, room.queued) - room.voidedEntries);
}

// Times of the wall clock, as they are reported, and of the flow clock, by which admissions end.

/** Milliseconds by which the clocks may differ before a reported time changes. */
const agreeMs = 1_000;

/**
 * The end of an admission to report now. That of an ended one stays as it was reported.
 *
 * @param wallMs when it ends by the wall clock, by what is left of it on the flow clock
 * @param reportedMs the end that was reported last
 */
export function reportedEnd(wallMs: number, reportedMs: number, hasEnded: boolean): number {
  return hasEnded || Math.abs(wallMs - reportedMs) <= agreeMs ? reportedMs : wallMs;
}

/**
 * How an admission that nobody has ended is over: by its time, or with the idle phase that it is of; or because the site has not seen
 * the visitor in time. Null: it is live.
 */
export function lapsedBy(flowMs: number, idleEndedMs: number, record: AdmissionRecord): AdmissionEnd | null {
  if (record.expiresFlowMs <= flowMs || (record.via === "idle" && record.admittedMs <= idleEndedMs)) return "expired";
  const visitByMs = record.visitByFlowMs ?? 0;
  return visitByMs > 0 && visitByMs <= flowMs ? "abandoned" : null;
}

/** A time of the wall clock, as the flow clock will see it. */
export function toFlow(room: Room, wallMs: number): number {
  return room.flowMs + (wallMs - room.atMs);
}

export function toWall(room: Room, flowMs: number): number {
  return room.atMs + (flowMs - room.flowMs);
}

/**
 * Whether an admission was made before this incarnation. One that lies in the future was made before the wall clock was set back: what
 * this incarnation had admitted by then would be on record still.
 */
export function isFromBefore(room: Room, admittedMs: number): boolean {
  return admittedMs < room.incarnationStartedMs || admittedMs > room.atMs;
}
