import { membersBetween, removeMember, setScore } from "../../core/ports/scored-set.ts";
import type { MovedPlace, RoomMemory } from "../contract/room-store.ts";
import type { Holder, RoomData } from "./data.ts";

/** What is moved last is remembered; beyond so many places the one that was moved longest ago is forgotten. */
const maxMoves = 100_000;

/** Whether the place was moved to somebody else. */
export function isElsewhere({ holders }: RoomData, number: number, sub: string): boolean {
  const holder = holders.get(number);
  return holder !== undefined && holder.sub !== sub;
}

/** Makes a visitor the holder of a place, as of now. */
export function putMove(room: RoomData, number: number, sub: string): void {
  const earlier = room.holders.get(number);
  putHolder(room, number, { sub, movedMs: Math.max(room.atMs, (earlier?.movedMs ?? 0) + 1) });
}

function putHolder(room: RoomData, number: number, holder: Holder): void {
  room.changeCount++;
  room.holders.set(number, holder);
  setScore(room.moves, number, room.changeCount);
  if (room.holders.size <= maxMoves) return;
  for (const oldest of membersBetween(room.moves, 0, room.changeCount, 1)) {
    removeMember(room.moves, oldest);
    room.holders.delete(oldest);
  }
}

/** What others remember; the last move of a place counts. */
export function mergeMoves(room: RoomData, { edition, queued, moves }: RoomMemory): void {
  if (edition !== room.edition) return;
  for (const { number, sub, movedMs } of moves) {
    if (number > queued || movedMs <= (room.holders.get(number)?.movedMs ?? 0)) continue;
    putHolder(room, number, { sub, movedMs });
  }
}

/** Places moved after `since`, oldest change first, with the number of the last one. */
export function movedSince(room: RoomData, since: number, limit: number) {
  const after = since > room.changeCount ? 0 : since;
  const numbers = membersBetween(room.moves, after + 1, Number.POSITIVE_INFINITY, limit + 1);
  const moves = numbers.slice(0, limit).flatMap((number): MovedPlace[] => {
    const holder = room.holders.get(number);
    return holder === undefined ? [] : [{ number, ...holder }];
  });
  const more = numbers.length > limit;
  const last = numbers[limit - 1];
  const cursor = more && last !== undefined ? (room.moves.scores.get(last) ?? after) : room.changeCount;
  return { moves, cursor, more };
}
