/** Links that were used: bypass links, and those that carry a place. */
import type { LinkClaim } from "../store/contract/room-claim.ts";
import {
  membersBetween,
  removeLowest,
  removeMembers,
  type ScoredSet,
  scoreOf,
  setScore,
  sizeOf,
} from "./ports/scored-set.ts";
import type { Room } from "./room.ts";

/** How long beyond its end a link stays known as used, so that setting the clock back gives it no second life. */
const keepUsedMs = 86_400_000;
/** Processes tell the store's time a little differently. */
const aheadMs = 5_000;
const prunedPerUse = 100;
/** Visitors make links as they like. As with the places that they move, those that expire last are remembered. */
const maxUsedMoves = 100_000;

/** Whether a link is good for nothing: used, over, or of a time that the room knows nothing of. @param used those of its kind */
export function isLinkVoid(room: Room, used: ScoredSet<string>, link: LinkClaim): boolean {
  if (scoreOf(used, link.id) !== null) return true;
  return room.atMs > link.expiresMs || link.madeMs < room.incarnationStartedMs || link.madeMs > room.atMs + aheadMs;
}

export function useLink(room: Room, link: LinkClaim): void {
  removeMembers(room.usedLinks, membersBetween(room.usedLinks, 0, room.atMs - keepUsedMs, prunedPerUse));
  setScore(room.usedLinks, link.id, link.expiresMs);
}

export function useMoveLink(room: Room, link: LinkClaim): void {
  setScore(room.usedMoves, link.id, link.expiresMs);
  if (sizeOf(room.usedMoves) > maxUsedMoves) removeLowest(room.usedMoves);
}
