/**
 * What keeps the line from moving: holds (an operator's pause, an alarm, everything sold, …), the phase that is reported meanwhile, and draws that are
 * being fixed. Every script asks for these several times; loops cost less in Lua than the functions that `find` takes. Of a room's draws the hot
 * operations go by marks, so that they need not read the records: of each its id, stage, first and last number, its time, and whether its seed is
 * committed to.
 *
 * Some holds also stop one of the room's clocks. The flow clock is the wall clock without its jumps, so an idle night, an outage or a clock step neither releases a flood of
 * visitors nor ends admissions. Only when another run of the server continues with an old state does it catch up. The claim clock also stands
 * still while places cannot be claimed. Both begin at the wall clock's time when a room is created.
 */

import type { AdmissionEnd, Draw, DrawStage, PlaceClaimed } from "../store/contract/room-places.ts";
import type { BasePhase, HoldReason, Phase, PhaseReason } from "../store/contract/room-settings.ts";
import type { AdmissionRecord } from "./ports/lists.ts";
import { placesBetween } from "./positions.ts";
import { recordWaiting } from "./progress.ts";
import type { Room } from "./room.ts";
import type { DrawMark } from "./rows.ts";

export const holdOrder: readonly HoldReason[] = ["recovered", "sold_out", "operator", "alarm", "unhealthy", "signal"];

/** Whether a hold counts in this phase. */
function countsIn(hold: HoldReason, phase: BasePhase): boolean {
  if (hold === "recovered") return true;
  return phase === "open" || ((hold === "operator" || hold === "sold_out") && phase === "prequeue");
}

export function hasHold(room: Room, reason: HoldReason): boolean {
  for (const hold of room.holds) {
    if (hold === reason) return true;
  }
  return false;
}

/** Null when nothing holds the room in its phase. */
export function phaseReason(room: Room): PhaseReason {
  for (const hold of room.holds) {
    if (countsIn(hold, room.basePhase)) return hold === "signal" ? "unhealthy" : hold;
  }
  return null;
}

/** Whether what holds the room is the end of its line. */
function isLineEnd(room: Room, reason: PhaseReason): boolean {
  return reason === "sold_out" && !room.hasReturns;
}

/** Whether the line is over since everything is sold. */
export function isLineOver(room: Room): boolean {
  return isLineEnd(room, phaseReason(room));
}

export function phaseOf(room: Room): Phase {
  const reason = phaseReason(room);
  if (reason === null) return room.basePhase;
  return isLineEnd(room, reason) ? "ended" : "paused";
}

/** Whether nobody remembers the room, so that an operator has to say how it goes on. */
export function isForgotten(room: Room): boolean {
  return hasHold(room, "recovered");
}

/** Notes a change. Whatever changes in a forgotten room, it stays at 0: a true memory of it wins. */
export function raiseVersion(room: Room): void {
  if (!isForgotten(room)) room.version++;
}

export function setHold(room: Room, reason: HoldReason, isSet: boolean): void {
  if (hasHold(room, reason) === isSet) return;
  room.holds = holdOrder.filter((hold) => {
    if (hold === reason) return isSet;
    return hasHold(room, hold);
  });
  raiseVersion(room);
}

/** @param latencyMs null where the site did not say in time that it is well */
export function reportHealth(room: Room, latencyMs: number | null): void {
  if (room.unhealthyAfter === null || room.healthyAfter === null) return;
  const isHealthy = latencyMs !== null;
  room.health.latencyMs = latencyMs;
  room.health.reportedMs = room.flowMs;
  room.health.failures = isHealthy ? 0 : room.health.failures + 1;
  room.health.successes = isHealthy ? room.health.successes + 1 : 0;
  if (room.health.failures >= room.unhealthyAfter) setHold(room, "unhealthy", true);
  if (room.health.successes >= room.healthyAfter) setHold(room, "unhealthy", false);
}

// What is left to sell, as the shop says it, and the hold of a room that is sold out: its stock is 0, or the operator's message says so.
// While visitors may wait for what is returned, the room is paused; else its line is over, as if it had ended, until that is taken back.

/** Holds the room while it is sold out. For whatever has changed the message or the stock; a recovery does it at its end. */
export function followStock(room: Room): void {
  setHold(room, "sold_out", room.saysSoldOut || room.stockLeft === 0);
}

/**
 * Takes the number that is left; null: none is told any more.
 *
 * @param asOfMs when it was true, as the shop says (now), no later than now; null: it does not say. What is older than the last is ignored
 */
export function recordStock(room: Room, left: number | null, asOfMs: number | null): void {
  const atMs = asOfMs === null ? room.atMs : Math.min(asOfMs, room.atMs);
  if (asOfMs !== null && atMs < room.stockAsOfMs) return;
  room.stockLeft = left;
  room.stockAsOfMs = atMs;
  room.stockMark = Math.max(room.stockMark + 1, room.atMs);
  followStock(room);
}

export const committedStage = 1;
export const closingStage = 2;
export const closedStage = 3;
export const cancelledStage = 4;
export const drawnStage = 5;

/** Nothing is served: the order of those who have entered is being fixed. */
export function isDrawing(room: Room): boolean {
  for (const mark of room.drawMarks) {
    if (mark.stage === closingStage || mark.stage === closedStage) return true;
  }
  return false;
}

/** Whether the time of entries is over that are still taken. Not while the room is forgotten: nobody knows then where the numbers stand. */
export function areEntriesOver(room: Room): boolean {
  if (isForgotten(room)) return false;
  for (const mark of room.drawMarks) {
    if (mark.stage === closingStage) return room.flowMs >= mark.atFlowMs;
  }
  return false;
}

/** A prequeue has begun, and nothing binds the seed of its draw yet. */
export function lacksCommitment(room: Room): boolean {
  if (room.basePhase !== "prequeue") return false;
  return room.drawMarks.some((mark) => mark.stage <= closingStage && mark.first > 0 && mark.isCommitted === 0);
}

/** Numbers of a cancelled draw are in none. Where nobody has entered, the last number is the one before the first. */
export function isEntryOf(mark: DrawMark, number: number): boolean {
  if (mark.stage === cancelledStage || mark.first === 0 || number < mark.first) return false;
  return mark.stage <= closingStage || number <= mark.last;
}

/** The first number of a draw that has begun and whose last one is not fixed; 0 for none. */
export function firstComing(room: Room): number {
  const coming = room.drawMarks.find((mark) => mark.stage <= closingStage);
  return coming === undefined ? 0 : coming.first;
}

/** What a ticket names: of what the place was drawn, else its position; 0 without a place. */
export function numberOf(place: PlaceClaimed): number {
  const entry = place.entry ?? null;
  return entry === null || place.position === 0 ? place.position : entry.number;
}

/** Of what draw the caller has the position; null where it knows of none. */
export function drawIdOf(place: PlaceClaimed): number | null {
  const entry = place.entry ?? null;
  if (entry === null) return null;
  return entry.draw;
}

/**
 * Whether the position is known: no draw has the number, or it was computed by the one that has.
 *
 * @param drawId of what draw the caller has the position; null where it knows of none
 */
export function isPlaced(room: Room, number: number, drawId: number | null): boolean {
  for (const mark of room.drawMarks) {
    if (isEntryOf(mark, number)) return mark.stage === drawnStage && mark.id === drawId;
  }
  return drawId === null;
}

/** The draw that is drawn and has the number; 0 for none. */
export function drawnIn(room: Room, number: number): number {
  for (const mark of room.drawMarks) {
    if (mark.stage === drawnStage && isEntryOf(mark, number)) return mark.id;
  }
  return 0;
}

/** Whether a draw whose last number is fixed, and which was not cancelled, has the number. */
export function isFixedEntry(room: Room, number: number): boolean {
  return room.drawMarks.some((mark) => mark.stage > closingStage && isEntryOf(mark, number));
}

// Which record of a draw has come further: wherever such are merged, in a store and among a process's checkpoints.

/** Whether entries may still be taken, now or later; there is one such draw at most, the last one. */
export function isComing(draw: { readonly stage: DrawStage }): boolean {
  return draw.stage === "committed" || draw.stage === "closing";
}

/** How far a draw has come for good: 0 when nobody can have entered; begun and committed to: 1; then closed, cancelled, drawn. */
export function drawProgress(draw: Pick<Draw, "stage" | "first" | "commitment">): number {
  if (isComing(draw)) return draw.first > 0 && draw.commitment !== "" ? 1 : 0;
  if (draw.stage === "closed") return 2;
  return draw.stage === "cancelled" ? 3 : 4;
}

/** Of two that have begun the one that began at the lower number, with what was committed to then; of two fixed ones the longer. */
export function isBetter(draw: Draw, other: Draw): boolean {
  const by = drawProgress(draw) - drawProgress(other);
  if (by !== 0) return by > 0;
  if (drawProgress(other) > 1) return draw.last > other.last;
  if (drawProgress(other) === 1 && draw.first !== other.first) return draw.first < other.first;
  if (draw.stage !== other.stage) return draw.stage === "closing";
  return draw.first > other.first || (draw.first === other.first && other.commitment === "" && draw.commitment !== "");
}

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
