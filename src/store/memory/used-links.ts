import type { BypassClaim } from "../room-store.ts";
import type { RoomData } from "./data.ts";
import { membersBetween, removeMember, setScore } from "./scored-set.ts";

/** How long beyond its end a link stays known as used, so that setting the clock back gives it no second life. */
const keepUsedMs = 24 * 3_600_000;
/** Processes tell the store's time a little differently. */
const aheadMs = 5_000;
const prunedPerUse = 100;

/** Whether a bypass link lets nobody in: used, over, or of a time that the room knows nothing of. */
export function isLinkVoid({ atMs, lifeStartedMs, usedLinks }: RoomData, link: BypassClaim): boolean {
  const { id, madeMs, expiresMs } = link;
  return usedLinks.scores.has(id) || atMs > expiresMs || madeMs < lifeStartedMs || madeMs > atMs + aheadMs;
}

export function useLink(room: RoomData, { id, expiresMs }: BypassClaim): void {
  for (const old of membersBetween(room.usedLinks, 0, room.atMs - keepUsedMs, prunedPerUse)) {
    removeMember(room.usedLinks, old);
  }
  setScore(room.usedLinks, id, expiresMs);
}
