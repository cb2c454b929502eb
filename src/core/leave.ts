/** Voids a place for the rest of its edition. A place that was left is not admitted. Idempotent. */
import type { LeaveRequest } from "../store/contract/room-claim.ts";
import { drawIdOf, isPlaced, numberOf } from "./draw/marks.ts";
import { isElsewhere } from "./moves.ts";
import { removePendingClaim } from "./pending-claims.ts";
import { addPosition, hasPosition } from "./ports/position-set.ts";
import { forgetPush } from "./pushes/rows.ts";
import type { Room } from "./room.ts";

export function leave(room: Room, place: LeaveRequest): void {
  const number = numberOf(place);
  const position = place.position;
  if (place.edition !== room.edition || isElsewhere(room, number, place.sub)) return;
  if (room.hasPush) forgetPush(room, place.sub);
  const isPositioned = isPlaced(room, number, drawIdOf(place));
  if (isPositioned) removePendingClaim(room, position);
  // Nobody holds a place that was not handed out yet; the ticket proves a loss, which its holder reports by claiming.
  if (number > room.queued || hasPosition(room.usedEntries, number)) return;
  // Where it will stand, or stands, is not known; else a place that was claimed is used up already, and one counts once.
  if (!isPositioned) addPosition(room.usedEntries, number);
  else if (hasPosition(room.claimedPlaces, position) || hasPosition(room.leftPlaces, position)) return;
  else addPosition(room.leftPlaces, position);
  room.counts.left++;
}
