/**
 * What hot operations go by of a room's draws, so that they need not read the records: of each its id, stage, first and last
 * number, its time, and whether its seed is committed to.
 */
import type { Draw, DrawStage, PlaceClaimed } from "../../store/contract/room-places.ts";
import { isForgotten } from "../holds.ts";
import type { Room } from "../room.ts";
import type { DrawMark } from "../rows.ts";

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
