import type { LeaveRequest } from "../room-store.ts";
import type { RoomData } from "./data.ts";
import { stopKnocking } from "./knocks.ts";
import { isElsewhere } from "./moves.ts";
import { addPosition, hasPosition } from "./position-set.ts";

/** Voids a place for the rest of its edition. */
export function leave(room: RoomData, { sub, edition, position }: LeaveRequest): void {
  if (edition !== room.edition || isElsewhere(room, position, sub)) return;
  stopKnocking(room, position);
  // Nobody holds a place that was not handed out yet; the ticket proves a loss, which its holder reports by claiming.
  if (position > room.queued) return;
  // A place that was claimed is used up already, and one counts once.
  if (hasPosition(room.claimed, position) || hasPosition(room.left, position)) return;
  addPosition(room.left, position);
  room.counts.left++;
}
