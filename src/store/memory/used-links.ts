import { membersBetween, removeMember, type ScoredSet, setScore } from "../../core/ports/scored-set.ts";
import type { BypassClaim, LinkClaim } from "../contract/room-store.ts";
import type { RoomData } from "./data.ts";

/** How long beyond its end a link stays known as used, so that setting the clock back gives it no second life. */
const keepUsedMs = 24 * 3_600_000;
/** Processes tell the store's time a little differently. */
const aheadMs = 5_000;
const prunedPerUse = 100;
/** Visitors make links as they like. As with the places that they move, those that expire last are remembered. */
const maxUsedMoves = 100_000;

/** Whether a link is good for nothing: used, over, or of a time that the room knows nothing of. @param used those of its kind */
export function isLinkVoid({ atMs, lifeStartedMs }: RoomData, used: ScoredSet<string>, link: LinkClaim): boolean {
  const { id, madeMs, expiresMs } = link;
  return used.scores.has(id) || atMs > expiresMs || madeMs < lifeStartedMs || madeMs > atMs + aheadMs;
}

export function useLink(room: RoomData, { id, expiresMs }: BypassClaim): void {
  for (const old of membersBetween(room.usedLinks, 0, room.atMs - keepUsedMs, prunedPerUse)) {
    removeMember(room.usedLinks, old);
  }
  setScore(room.usedLinks, id, expiresMs);
}

export function useMoveLink({ usedMoves }: RoomData, { id, expiresMs }: LinkClaim): void {
  setScore(usedMoves, id, expiresMs);
  const [first] = usedMoves.order;
  if (first !== undefined && usedMoves.order.length > maxUsedMoves) removeMember(usedMoves, first.member);
}
