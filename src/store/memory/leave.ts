import type { LeaveRequest } from "../room-store.ts";
import { servedAt } from "./advances.ts";
import type { RoomData } from "./data.ts";
import { stopKnocking } from "./knocks.ts";
import { membersBetween, removeMember, setScore } from "./scored-set.ts";

/** Voids a place with a tombstone. */
export function leave(room: RoomData, request: LeaveRequest): void {
  const { edition, position, joinedMs } = request;
  if (edition !== room.edition) return;
  stopKnocking(room, position);
  if (position <= room.serving && hasLapsed(room, position, joinedMs)) return;
  room.left.set(position, joinedMs);
  setScore(room.leftOrder, position, position);
}

function hasLapsed(room: RoomData, position: number, joinedMs: number): boolean {
  const { claimWithinMs } = room.settings.effective.admission;
  return room.claimMs > Math.max(joinedMs, servedAt(room, position)) + claimWithinMs;
}

/** Forgets tombstones of places that have expired; lower places lapse first. */
export function pruneLeft(room: RoomData, limit: number): void {
  for (const position of membersBetween(room.leftOrder, 0, room.serving, limit)) {
    if (!hasLapsed(room, position, room.left.get(position) ?? 0)) return;
    room.left.delete(position);
    removeMember(room.leftOrder, position);
  }
}
