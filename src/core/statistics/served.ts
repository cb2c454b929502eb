/** How many places have been served since the room was made, less those that an operator took back. Counters of positions begin anew with an edition. */
import { placesBetween } from "../gaps.ts";
import type { Room } from "../room.ts";

export function servedPlaces(room: Room): number {
  const from = room.statistics.servedThrough;
  const to = servedThrough(room);
  const moved = to >= from ? placesBetween(room.gaps, from, to) : -placesBetween(room.gaps, to, from);
  return room.statistics.served + moved;
}

/** Places that are open, and that nobody has taken yet, are not served. */
function servedThrough(room: Room): number {
  return Math.min(room.serving, room.queued);
}

/** What was served until now stays counted: of gaps, and of editions, the older ones are forgotten. */
export function keepServed(room: Room): void {
  room.statistics.served = servedPlaces(room);
  room.statistics.servedThrough = servedThrough(room);
}

/** Counters of positions have just begun anew. */
export function beginServed(room: Room): void {
  room.statistics.servedThrough = 0;
}
