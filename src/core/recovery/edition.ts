/** Begins an edition: counters at 0; places, gaps and rows void; nothing is claimed or left. */
import { forgetDraws } from "../draw/draws.ts";
import { clearRows } from "../ports/advance-rows.ts";
import { clearHolders } from "../ports/holders.ts";
import { clearPositions } from "../ports/position-set.ts";
import { clearSet } from "../ports/scored-set.ts";
import type { Room } from "../room.ts";

export function voidEdition(room: Room, edition: number): void {
  room.edition = edition;
  room.queued = 0;
  room.serving = 0;
  room.servingHigh = 0;
  room.expiredThrough = 0;
  room.gaps = [];
  room.unsettledFrom = 0;
  room.settlesMs = 0;
  clearRows(room.rows);
  clearPositions(room.claimedPlaces);
  clearPositions(room.leftPlaces);
  clearHolders(room.holders);
  clearSet(room.moves);
  clearSet(room.usedMoves);
  forgetDraws(room);
}
