import type { JoinRange } from "../room-store.ts";
import type { RoomData } from "./data.ts";

const maxCount = 10_000;

/** Takes `count` consecutive positions. */
export function join(room: RoomData, count: number): JoinRange {
  if (!Number.isInteger(count) || count < 1 || count > maxCount) throw new RangeError(`cannot join ${count} at once`);
  const first = room.queued + 1;
  room.queued += count;
  noteJoins(room, count);
  return { edition: room.edition, first, last: room.queued, joinedMs: room.claimMs, serving: room.serving };
}

function noteJoins(room: RoomData, count: number): void {
  const second = Math.floor(room.flowMs / 1_000);
  const last = room.joinSeconds.at(-1);
  if (last?.second === second) last.count += count;
  else room.joinSeconds.push({ second, count });
  while ((room.joinSeconds[0]?.second ?? second) <= second - 10) room.joinSeconds.shift();
}
