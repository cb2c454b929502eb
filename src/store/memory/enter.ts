import { advanceClocks } from "../../core/clocks.ts";
import { openGroup } from "../../core/groups.ts";
import { createCountLog } from "../../core/ports/lists.ts";
import { seenOf } from "../../core/ports/reports.ts";
import { applyTransitions, isPutBack } from "../../core/recovery/recovery.ts";
import type { Group, Share } from "../../core/room.ts";
import type { Outcome, SeenIncarnation } from "../contract/room-store.ts";
import type { MemoryData, RoomData } from "./data.ts";

/**
 * The beginning of every operation on a room: checks the incarnation, moves the clocks, carries out what is due, and then runs
 * `operation`.
 */
export function enter<T>(
  data: MemoryData,
  name: string,
  incarnation: SeenIncarnation,
  nowMs: number,
  operation: (room: RoomData) => T,
): Outcome<T> {
  const room = data.rooms.get(name);
  const seen = seenOf(incarnation);
  if (room === undefined || room.runId !== data.runId || room.incarnation !== seen.incarnation)
    return { result: "recover" };
  if (isPutBack(room, seen)) return { result: "recover" };
  advanceClocks(room, nowMs);
  applyTransitions(room);
  if (room.recoveringUntilMs > 0) {
    return { result: "recovering", remainingMs: room.recoveringUntilMs - room.flowMs };
  }
  room.group = groupOf(data, room);
  openGroup(room);
  return { result: "ok", value: operation(room) };
}

/** The shared outflow that the room takes part in, null for none. */
function groupOf(data: MemoryData, room: RoomData): Group | null {
  if (room.sharedId === "") {
    room.logGroup = "";
    return null;
  }
  const existing = data.groups.get(room.sharedId);
  const roomShare = existing?.shares.find(({ name }) => name === room.name) ?? createShare(room.name);
  const { atMs } = room;
  const group = existing ?? {
    atMs,
    flowMs: atMs,
    log: createCountLog(),
    logTotal: 0,
    tatMs: 0,
    shares: [],
    own: roomShare,
  };
  data.groups.set(room.sharedId, group);
  if (!group.shares.includes(roomShare)) group.shares.push(roomShare);
  group.own = roomShare;
  return group;
}

function createShare(name: string): Share {
  return { name, weight: 1, ownLimit: null, counter: 0, askedMs: 0, demandMs: 0 };
}
