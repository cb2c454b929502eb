import { advanceClocks } from "../../core/clocks.ts";
import { closeEntries } from "../../core/draw/draws.ts";
import { carryOutSchedule } from "../../core/phases.ts";
import { settleDueGaps } from "../../core/recovery/gaps.ts";
import { seenOf } from "../contract/known-incarnation.ts";
import type { KnownIncarnation, Outcome } from "../contract/room-store.ts";
import type { GroupData, MemoryData, RoomData } from "./data.ts";
import { groupOf } from "./groups.ts";
import { finishRecovery, isPutBack } from "./recovery.ts";

/**
 * The beginning of every operation on a room: checks the incarnation, moves the clocks, ends a recovery whose time is
 * over, closes the entries of a draw whose time is over, carries out the schedule, and then runs `operation`.
 */
export function enter<T>(
  data: MemoryData,
  name: string,
  incarnation: KnownIncarnation,
  nowMs: number,
  operation: (room: RoomData, group: GroupData | null) => T,
): Outcome<T> {
  const room = data.rooms.get(name);
  const seen = seenOf(incarnation);
  if (room === undefined || room.runId !== data.runId || room.incarnation !== seen.incarnation)
    return { result: "recover" };
  if (isPutBack(room, seen)) return { result: "recover" };
  advanceClocks(room, nowMs);
  finishRecovery(room);
  if (room.recoveringUntilMs > 0) {
    return { result: "recovering", remainingMs: room.recoveringUntilMs - room.flowMs };
  }
  closeEntries(room);
  settleDueGaps(room);
  carryOutSchedule(room);
  return { result: "ok", value: operation(room, groupOf(data, room)) };
}
