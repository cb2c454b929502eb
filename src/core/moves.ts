/** Places that were moved to another visitor. What is moved last is remembered. */
import type { MovedPlace } from "../store/contract/room-state.ts";
import { countHolders, forgetHolder, readHolder, writeHolder } from "./ports/holders.ts";
import { hasPosition } from "./ports/position-set.ts";
import type { AdmissionRecord } from "./ports/records.ts";
import { membersBetween, removeMember, setScore } from "./ports/scored-set.ts";
import type { Room } from "./room.ts";

/** Beyond so many places the one that was moved longest ago is forgotten. */
const maxMoves = 100_000;

/** Whether the place was moved to somebody else. */
export function isElsewhere(room: Room, number: number, sub: string): boolean {
  const holder = readHolder(room.holders, number);
  return holder !== null && holder.sub !== sub;
}

/**
 * Whether the place was claimed, or had its turn: it is a lower one than the visitor was admitted with.
 *
 * @param record the visitor's
 */
export function wasClaimed(
  room: Room,
  position: number,
  number: number,
  sub: string,
  record: AdmissionRecord | null,
): boolean {
  if (hasPosition(room.claimedPlaces, position)) return true;
  if (record === null || record.edition !== room.edition || position > record.usedPosition) return false;
  // Positions that a visitor is given only grow, but those that were moved to them.
  const holder = readHolder(room.holders, number);
  return holder === null || holder.sub !== sub;
}

export function putHolder(room: Room, number: number, sub: string, movedMs: number): void {
  room.changeCount++;
  writeHolder(room.holders, number, { sub, movedMs });
  setScore(room.moves, number, room.changeCount);
  if (countHolders(room.holders) <= maxMoves) return;
  for (const oldest of membersBetween(room.moves, 0, room.changeCount, 1)) {
    removeMember(room.moves, oldest);
    forgetHolder(room.holders, oldest);
  }
}

/** Makes a visitor the holder of a place, as of now. Answers when that is. */
export function putMove(room: Room, number: number, sub: string): number {
  const earlier = readHolder(room.holders, number);
  const earlierMs = earlier === null ? 0 : earlier.movedMs;
  const movedMs = Math.max(room.atMs, earlierMs + 1);
  putHolder(room, number, sub, movedMs);
  return movedMs;
}

/** What others remember of an edition; the last move of a place counts. @param queued their queue counter */
export function mergeMoves(room: Room, edition: number, queued: number, moves: readonly MovedPlace[]): void {
  if (edition !== room.edition) return;
  for (const move of moves) {
    const known = readHolder(room.holders, move.number);
    const knownMs = known === null ? 0 : known.movedMs;
    if (move.number <= queued && move.movedMs > knownMs) putHolder(room, move.number, move.sub, move.movedMs);
  }
}
