import type { LeaveRequest } from "../room-store.ts";
import type { RoomData } from "./data.ts";
import { stopKnocking } from "./knocks.ts";
import { addPosition } from "./position-set.ts";

/** Voids a place for the rest of its edition. */
export function leave(room: RoomData, { edition, position }: LeaveRequest): void {
  if (edition !== room.edition) return;
  stopKnocking(room, position);
  addPosition(room.left, position);
}
