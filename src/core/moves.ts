/**
 * Places that were moved to another visitor, by a link that is used once; and links that were used, bypass links too. A place has one
 * holder. What is moved last is remembered.
 */
import type { LinkClaim, MoveRequest } from "../store/contract/room-claim.ts";
import type { MovedPlace } from "../store/contract/room-state.ts";
import { isVoided } from "./draw/voids.ts";
import { drawIdOf, isPlaced, numberOf } from "./holds.ts";
import { type AdmissionRecord, countRecords, forgetRecord, readRecord, writeRecord } from "./ports/records.ts";
import {
  hasPosition,
  membersBetween,
  removeLowest,
  removeMember,
  removeMembers,
  type ScoredSet,
  scoreOf,
  setScore,
  sizeOf,
} from "./ports/sets.ts";
import { forgetPush } from "./push-rows.ts";
import type { Room } from "./room.ts";
import { hasExpired } from "./served-places.ts";

/** Beyond so many places the one that was moved longest ago is forgotten. */
const maxMoves = 100_000;

/** Whether the place was moved to somebody else. */
export function isElsewhere(room: Room, number: number, sub: string): boolean {
  const holder = readRecord(room.holders, number);
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
  const holder = readRecord(room.holders, number);
  return holder === null || holder.sub !== sub;
}

function putMove(room: Room, moved: MovedPlace): void {
  room.changeCount++;
  writeRecord(room.holders, moved.number, moved);
  setScore(room.moves, moved.number, room.changeCount);
  if (countRecords(room.holders) <= maxMoves) return;
  for (const oldest of membersBetween(room.moves, 0, room.changeCount, 1)) {
    removeMember(room.moves, oldest);
    forgetRecord(room.holders, oldest);
  }
}

/** When the place was moved last; 0 for never. */
function movedAt(room: Room, number: number): number {
  const moved = readRecord(room.holders, number);
  return moved === null ? 0 : moved.movedMs;
}

/** What others remember of an edition; the last move of a place counts. @param queued their queue counter */
export function mergeMoves(room: Room, edition: number, queued: number, moves: readonly MovedPlace[]): void {
  if (edition !== room.edition) return;
  for (const moved of moves) {
    if (moved.number <= queued && moved.movedMs > movedAt(room, moved.number)) {
      putMove(room, moved);
      room.isWhole = false;
    }
  }
}

/** Whether the room's rule lets the place go to another browser. */
function mayMove(room: Room, number: number, request: MoveRequest): boolean {
  if (room.moveRule === "unlimited") return true;
  return room.moveRule === "once" && movedAt(room, number) === 0 && isPlaced(room, number, drawIdOf(request));
}

/** Null where it was not moved. */
export function move(room: Room, request: MoveRequest): MovedPlace | null {
  const number = numberOf(request);
  if (isOver(room, request, number)) return null;
  const holder = readRecord(room.holders, number);
  if (holder !== null && holder.sub === request.to) return holder;
  if (isElsewhere(room, number, request.from)) return null;
  if (!mayMove(room, number, request)) return null;
  if (isLinkVoid(room, room.usedMoves, request.link)) return null;
  setScore(room.usedMoves, request.link.id, request.link.expiresMs);
  if (sizeOf(room.usedMoves) > maxUsedMoves) removeLowest(room.usedMoves);
  const movedMs = Math.max(room.atMs, movedAt(room, number) + 1);
  const moved: MovedPlace = { number, sub: request.to, movedMs };
  putMove(room, moved);
  if (room.hasPush) forgetPush(room, request.from);
  return moved;
}

/** Whether nobody may claim the place any more, or never might. */
function isOver(room: Room, request: MoveRequest, number: number): boolean {
  if (request.edition !== room.edition || number > room.queued || hasPosition(room.usedEntries, number)) return true;
  if (isVoided(room, number, request.position)) return true;
  if (!isPlaced(room, number, drawIdOf(request))) return false;
  if (hasPosition(room.leftPlaces, request.position)) return true;
  const record = readRecord(room.admissions, request.from);
  if (wasClaimed(room, request.position, number, request.from, record)) return true;
  return request.position <= room.serving && hasExpired(room, request.position, request.joinedMs);
}

/** How long beyond its end a link stays known as used, so that setting the clock back gives it no second life. */
const keepUsedMs = 86_400_000;
/** Processes know the store's time a little differently. */
const aheadMs = 5_000;
const prunedPerUse = 100;
/** Visitors make links as they like. As with the places that they move, those that expire last are remembered. */
const maxUsedMoves = 100_000;

/** Whether a link is good for nothing: used, over, or of a time that the room knows nothing of. @param used those of its kind */
export function isLinkVoid(room: Room, used: ScoredSet<string>, link: LinkClaim): boolean {
  if (scoreOf(used, link.id) !== null) return true;
  const fromMs = room.linksFromMs > 0 ? room.linksFromMs : room.incarnationStartedMs;
  return room.atMs > link.expiresMs || link.madeMs < fromMs || link.madeMs > room.atMs + aheadMs;
}

export function useLink(room: Room, link: LinkClaim): void {
  removeMembers(room.usedLinks, membersBetween(room.usedLinks, 0, room.atMs - keepUsedMs, prunedPerUse));
  setScore(room.usedLinks, link.id, link.expiresMs);
}
