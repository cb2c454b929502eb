import { readHolder } from "../../core/ports/holders.ts";
import { membersBetween } from "../../core/ports/scored-set.ts";
import type { MovedPlace } from "../contract/room-store.ts";
import type { RoomData } from "./data.ts";

/** Places moved after `since`, oldest change first, with the number of the last one. */
export function movedSince(room: RoomData, since: number, limit: number) {
  const after = since > room.changeCount ? 0 : since;
  const numbers = membersBetween(room.moves, after + 1, Number.POSITIVE_INFINITY, limit + 1);
  const moves = numbers.slice(0, limit).flatMap((number): MovedPlace[] => {
    const holder = readHolder(room.holders, number);
    return holder === null ? [] : [{ number, ...holder }];
  });
  const more = numbers.length > limit;
  const last = numbers[limit - 1];
  const cursor = more && last !== undefined ? (room.moves.scores.get(last) ?? after) : room.changeCount;
  return { moves, cursor, more };
}
