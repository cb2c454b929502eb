import { hasExpired } from "../../core/advances.ts";
import { isPlaced } from "../../core/draw/marks.ts";
import { hasPosition } from "../../core/ports/position-set.ts";
import type { MovedPlace, MoveRequest } from "../contract/room-store.ts";
import { wasClaimed } from "./claimed.ts";
import type { RoomData } from "./data.ts";
import { isElsewhere, putMove } from "./moves.ts";
import { drawIdOf, numberOf } from "./places.ts";
import { isLinkVoid, useMoveLink } from "./used-links.ts";

/** Carries an unclaimed place to another visitor. */
export function move(room: RoomData, request: MoveRequest): MovedPlace | null {
  const { from, to, link } = request;
  const number = numberOf(request);
  if (isOver(room, request)) return null;
  if (room.holders.get(number)?.sub !== to) {
    if (isElsewhere(room, number, from) || isLinkVoid(room, room.usedMoves, link)) return null;
    useMoveLink(room, link);
    putMove(room, number, to);
  }
  const holder = room.holders.get(number);
  return holder === undefined ? null : { number, ...holder };
}

/** Whether nobody may claim the place any more, or never might. */
function isOver(room: RoomData, request: MoveRequest): boolean {
  const { edition, position, joinedMs, from } = request;
  const number = numberOf(request);
  if (edition !== room.edition || number > room.queued || hasPosition(room.usedEntries, number)) return true;
  if (!isPlaced(room, numberOf(request), drawIdOf(request))) return false;
  if (hasPosition(room.leftPlaces, position) || wasClaimed(room, request, from)) return true;
  return position <= room.serving && hasExpired(room, position, joinedMs);
}
