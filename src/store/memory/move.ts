import { hasExpired } from "../../core/advances.ts";
import { isPlaced } from "../../core/draw/marks.ts";
import { isElsewhere, putMove, wasClaimed } from "../../core/moves.ts";
import { readHolder } from "../../core/ports/holders.ts";
import { hasPosition } from "../../core/ports/position-set.ts";
import { readRecord } from "../../core/ports/records.ts";
import { isLinkVoid, useMoveLink } from "../../core/used-links.ts";
import type { MovedPlace, MoveRequest } from "../contract/room-store.ts";
import type { RoomData } from "./data.ts";
import { drawIdOf, numberOf } from "./places.ts";

/** Carries an unclaimed place to another visitor. */
export function move(room: RoomData, request: MoveRequest): MovedPlace | null {
  const { from, to, link } = request;
  const number = numberOf(request);
  if (isOver(room, request)) return null;
  if (readHolder(room.holders, number)?.sub !== to) {
    if (isElsewhere(room, number, from) || isLinkVoid(room, room.usedMoves, link)) return null;
    useMoveLink(room, link);
    putMove(room, number, to);
  }
  const holder = readHolder(room.holders, number);
  return holder === null ? null : { number, ...holder };
}

/** Whether nobody may claim the place any more, or never might. */
function isOver(room: RoomData, request: MoveRequest): boolean {
  const { edition, position, joinedMs, from } = request;
  const number = numberOf(request);
  if (edition !== room.edition || number > room.queued || hasPosition(room.usedEntries, number)) return true;
  if (!isPlaced(room, numberOf(request), drawIdOf(request))) return false;
  if (
    hasPosition(room.leftPlaces, position) ||
    wasClaimed(room, position, number, from, readRecord(room.admissions, from))
  )
    return true;
  return position <= room.serving && hasExpired(room, position, joinedMs);
}
