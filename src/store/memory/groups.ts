import { openGroup } from "../../core/groups.ts";
import { createCountLog } from "../../core/ports/count-log.ts";
import type { Share } from "../../core/room.ts";
import type { GroupData, MemoryData, RoomData } from "./data.ts";

/** The shared outflow that the room takes part in, its clock moved; null for none. */
export function groupOf(data: MemoryData, room: RoomData): GroupData | null {
  if (room.sharedId === "") {
    room.logGroup = "";
    return null;
  }
  const known = data.groups.get(room.sharedId);
  const own = known?.shares.find(({ name }) => name === room.name) ?? createShare(room.name);
  const { atMs } = room;
  const group = known ?? { atMs, flowMs: atMs, log: createCountLog(), logTotal: 0, tatMs: 0, shares: [], own };
  data.groups.set(room.sharedId, group);
  if (!group.shares.includes(own)) group.shares.push(own);
  group.own = own;
  openGroup(room, group);
  return group;
}

function createShare(name: string): Share {
  return { name, weight: 1, ownLimit: null, counter: 0, askedMs: 0, demandMs: 0 };
}
