import { maxPerTick, moveRoom } from "../../core/tick.ts";
import type { RoomChanges } from "../contract/room-store.ts";
import { pruneRequests } from "./admin-step.ts";
import { changedSince } from "./admissions.ts";
import type { GroupData, RoomData } from "./data.ts";
import { movedSince } from "./moves.ts";
import { roomState } from "./room-state.ts";

/** Keeps the room moving and answers its state with what changed after `since`. */
export function tick(room: RoomData, group: GroupData | null, since: number): RoomChanges {
  moveRoom(room, group);
  pruneRequests(room, maxPerTick);
  const { admissions, ...changed } = changedSince(room, since, maxPerTick);
  const { moves, ...moved } = movedSince(room, since, maxPerTick);
  const cursor = Math.min(changed.cursor, moved.cursor);
  return { state: roomState(room, group), admissions, moves, cursor, more: changed.more || moved.more };
}
