/**
 * What is left to sell, as the shop says it, and the hold of a room that is sold out: its stock is 0, or the operator's message says so.
 * While visitors may wait for what is returned, the room is paused; else its line is over, as if it had ended, until that is taken back.
 */
import { setHold } from "./holds.ts";
import type { Room } from "./room.ts";

/** Holds the room while it is sold out. For whatever has changed the message or the stock; a recovery does it at its end. */
export function followStock(room: Room): void {
  setHold(room, "sold_out", room.saysSoldOut || room.stockLeft === 0);
}

/**
 * Takes the number that is left; null: none is told any more.
 *
 * @param asOfMs when it was true, as the shop says (now), no later than now; null: it does not say. What is older than the last is ignored
 */
export function recordStock(room: Room, left: number | null, asOfMs: number | null): void {
  const atMs = asOfMs === null ? room.atMs : Math.min(asOfMs, room.atMs);
  if (asOfMs !== null && atMs < room.stockAsOfMs) return;
  room.stockLeft = left;
  room.stockAsOfMs = atMs;
  room.stockMark = Math.max(room.stockMark + 1, room.atMs);
  followStock(room);
}
