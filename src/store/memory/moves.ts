import type { MovedPlace, RoomMemory } from "../room-store.ts";
import type { Holder, RoomData } from "./data.ts";
import { membersBetween, removeMember, setScore } from "./scored-set.ts";

/** What is moved last is remembered; beyond so many places the one that was moved longest ago is forgotten. */
const maxMoves = 100_000;

/** Whether the place was moved to somebody else. */
export function isElsewhere({ holders }: RoomData, position: number, sub: string): boolean {
  const holder = holders.get(position);
  return holder !== undefined && holder.sub !== sub;
}

/** Makes a visitor the holder of a place, as of now. */
export function putMove(room: RoomData, position: number, sub: string): void {
  const earlier = room.holders.get(position);
  putHolder(room, position, { sub, movedMs: Math.max(room.atMs, (earlier?.movedMs ?? 0) + 1) });
}

function putHolder(room: RoomData, position: number, holder: Holder): void {
  room.changeCount++;
  room.holders.set(position, holder);
  setScore(room.moves, position, room.changeCount);
  if (room.holders.size <= maxMoves) return;
  for (const oldest of membersBetween(room.moves, 0, room.changeCount, 1)) {
    removeMember(room.moves, oldest);
    room.holders.delete(oldest);
  }
}

/** What others remember; the last move of a place counts. */
export function mergeMoves(room: RoomData, { edition, queued, moves }: RoomMemory): void {
  if (edition !== room.edition) return;
  for (const { position, sub, movedMs } of moves) {
    if (position > queued || movedMs <= (room.holders.get(position)?.movedMs ?? 0)) continue;
    putHolder(room, position, { sub, movedMs });
  }
}

/** Places moved after `since`, oldest change first, with the number of the last one. */
export function movedSince(room: RoomData, since: number, limit: number) {
  const after = since > room.changeCount ? 0 : since;
  const positions = membersBetween(room.moves, after + 1, Number.POSITIVE_INFINITY, limit + 1);
  const moves = positions.slice(0, limit).flatMap((position): MovedPlace[] => {
    const holder = room.holders.get(position);
    return holder === undefined ? [] : [{ position, ...holder }];
  });
  const more = positions.length > limit;
  const last = positions[limit - 1];
  const cursor = more && last !== undefined ? (room.moves.scores.get(last) ?? after) : room.changeCount;
  return { moves, cursor, more };
}
