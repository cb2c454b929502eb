/** Carries an unclaimed place to another visitor, by a link that is used once. A place has one holder. Idempotent. */
import type { LinkClaim } from "../store/contract/room-claim.ts";
import { hasExpired } from "./advances.ts";
import { isPlaced } from "./draw/marks.ts";
import { isElsewhere, putMove, wasClaimed } from "./moves.ts";
import { readHolder } from "./ports/holders.ts";
import { hasPosition } from "./ports/position-set.ts";
import { readRecord } from "./ports/records.ts";
import type { Room } from "./room.ts";
import { isLinkVoid, useMoveLink } from "./used-links.ts";

export interface Move {
  readonly edition: number;
  readonly position: number;
  /** What the ticket names. */
  readonly number: number;
  /** Of what draw the caller has the position; null where it knows of none. */
  readonly drawId: number | null;
  readonly joinedMs: number;
  readonly from: string;
  readonly to: string;
  readonly link: LinkClaim;
}

/** When the place was moved; null where it was not. */
export function move(room: Room, request: Move): number | null {
  if (isOver(room, request)) return null;
  const holder = readHolder(room.holders, request.number);
  if (holder !== null && holder.sub === request.to) return holder.movedMs;
  if (isElsewhere(room, request.number, request.from)) return null;
  if (isLinkVoid(room, room.usedMoves, request.link)) return null;
  useMoveLink(room, request.link);
  return putMove(room, request.number, request.to);
}

/** Whether nobody may claim the place any more, or never might. */
function isOver(room: Room, request: Move): boolean {
  const number = request.number;
  if (request.edition !== room.edition || number > room.queued || hasPosition(room.usedEntries, number)) return true;
  if (!isPlaced(room, number, request.drawId)) return false;
  if (hasPosition(room.leftPlaces, request.position)) return true;
  const record = readRecord(room.admissions, request.from);
  if (wasClaimed(room, request.position, number, request.from, record)) return true;
  return request.position <= room.serving && hasExpired(room, request.position, request.joinedMs);
}
