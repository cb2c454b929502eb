import type { MovedPlace, MoveRequest } from "../room-store.ts";
import { hasExpired } from "./advances.ts";
import { wasClaimed } from "./claimed.ts";
import type { RoomData } from "./data.ts";
import { isElsewhere, putMove } from "./moves.ts";
import { hasPosition } from "./position-set.ts";
import { isLinkVoid, useMoveLink } from "./used-links.ts";

/** Carries an unclaimed place to another visitor. */
export function move(room: RoomData, request: MoveRequest): MovedPlace | null {
  const { position, from, to, link } = request;
  if (isOver(room, request)) return null;
  if (room.holders.get(position)?.sub !== to) {
    if (isElsewhere(room, position, from) || isLinkVoid(room, room.usedMoves, link)) return null;
    useMoveLink(room, link);
    putMove(room, position, to);
  }
  const holder = room.holders.get(position);
  return holder === undefined ? null : { position, ...holder };
}

/** Whether nobody may claim the place any more, or never might. */
function isOver(room: RoomData, { edition, position, joinedMs, from }: MoveRequest): boolean {
  if (edition !== room.edition || position > room.queued) return true;
  if (hasPosition(room.left, position) || wasClaimed(room, position, from)) return true;
  return position <= room.serving && hasExpired(room, position, joinedMs);
}
