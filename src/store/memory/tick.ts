import { adaptRate } from "../../core/adaptive/adapt.ts";
import { expireAdvances } from "../../core/advances.ts";
import { pruneGhosts } from "../../core/capacity.ts";
import { peopleWaiting } from "../../core/clocks.ts";
import { pruneKnocks } from "../../core/knocks.ts";
import { pruneLog } from "../../core/limiter.ts";
import type { RoomChanges } from "../contract/room-store.ts";
import { pruneRequests } from "./admin-step.ts";
import { logCounts, logSituation } from "./admission-log.ts";
import { changedSince, lapseAdmissions, pruneEnded } from "./admissions.ts";
import type { GroupData, RoomData } from "./data.ts";
import { noteDemand } from "./groups.ts";
import { runInlet } from "./inlet.ts";
import { movedSince } from "./moves.ts";
import { roomState } from "./room-state.ts";

const maxPerTick = 500;

/** Keeps the room moving and answers its state with what changed after `since`. */
export function tick(room: RoomData, group: GroupData | null, since: number): RoomChanges {
  pruneKnocks(room, 2 * maxPerTick);
  pruneLog(room);
  lapseAdmissions(room, maxPerTick);
  pruneGhosts(room);
  noteDemand(room, group, peopleWaiting(room) > 0 || room.knocks.order.length > 0);
  adaptRate(room);
  runInlet(room, group);
  expireAdvances(room, maxPerTick);
  pruneEnded(room, maxPerTick);
  pruneRequests(room, maxPerTick);
  logSituation(room);
  logCounts(room);
  const { admissions, ...changed } = changedSince(room, since, maxPerTick);
  const { moves, ...moved } = movedSince(room, since, maxPerTick);
  const cursor = Math.min(changed.cursor, moved.cursor);
  return { state: roomState(room, group), admissions, moves, cursor, more: changed.more || moved.more };
}
