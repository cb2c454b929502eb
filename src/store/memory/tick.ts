import type { RoomChanges } from "../room-store.ts";
import { pruneRequests } from "./admin-step.ts";
import { changedSince, lapseAdmissions, pruneEnded } from "./admissions.ts";
import { expireAdvances } from "./advances.ts";
import type { RoomData } from "./data.ts";
import { pruneKnocks } from "./knocks.ts";
import { pruneLog } from "./limiter.ts";
import { pull } from "./pull.ts";
import { roomState } from "./room-state.ts";

const maxPerTick = 500;

/** Keeps the room moving and answers its state with what changed after `since`. */
export function tick(name: string, room: RoomData, since: number): RoomChanges {
  pruneKnocks(room, 2 * maxPerTick);
  pruneLog(room.limiter, room.flowMs);
  pull(room);
  lapseAdmissions(room, maxPerTick);
  expireAdvances(room, maxPerTick);
  pruneEnded(room, maxPerTick);
  pruneRequests(room, maxPerTick);
  return { state: roomState(name, room), ...changedSince(room, since, maxPerTick, room.atMs) };
}
