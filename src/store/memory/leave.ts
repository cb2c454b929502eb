import { isPlaced } from "../../core/draw/marks.ts";
import { stopKnocking } from "../../core/knocks.ts";
import { isElsewhere } from "../../core/moves.ts";
import { addPosition, hasPosition } from "../../core/ports/position-set.ts";
import type { LeaveRequest } from "../contract/room-store.ts";
import type { RoomData } from "./data.ts";
import { drawIdOf, numberOf } from "./places.ts";

/** Voids a place for the rest of its edition. */
export function leave(room: RoomData, request: LeaveRequest): void {
  const { sub, edition, position } = request;
  const number = numberOf(request);
  if (edition !== room.edition || isElsewhere(room, number, sub)) return;
  if (!isPlaced(room, numberOf(request), drawIdOf(request))) {
    leaveEntry(room, number);
    return;
  }
  stopKnocking(room, position);
  // Nobody holds a place that was not handed out yet; the ticket proves a loss, which its holder reports by claiming.
  if (number > room.queued) return;
  // A place that was claimed is used up already, and one counts once.
  if (hasPosition(room.usedEntries, number)) return;
  if (hasPosition(room.claimedPlaces, position) || hasPosition(room.leftPlaces, position)) return;
  addPosition(room.leftPlaces, position);
  room.counts.left++;
}

/** Where it will stand, or stands, is not known. */
function leaveEntry(room: RoomData, number: number): void {
  if (number > room.queued || hasPosition(room.usedEntries, number)) return;
  addPosition(room.usedEntries, number);
  room.counts.left++;
}
