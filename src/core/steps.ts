/** What an operator's steps do. */
import { logIncrement } from "./admission-log.ts";
import { addAdvance, takeBackAdvances } from "./advances.ts";
import { addBatch, clearBatches } from "./batches.ts";
import { isLimited, peopleWaiting } from "./clocks.ts";
import { followPhase, gapsToSkip, resumeDraws } from "./draw/draws.ts";
import { moveOver, placesBetween } from "./gaps.ts";
import { isForgotten, raiseVersion, setHold } from "./holds.ts";
import { clearPendingClaims } from "./pending-claims.ts";
import { clearProgress, noteServed } from "./progress.ts";
import { voidEdition } from "./recovery/edition.ts";
import { placeGap } from "./recovery/gaps.ts";
import type { Room } from "./room.ts";

/** Whether an operator's steps are the pace of the line: nothing else moves it, and no limit lets people in more slowly. */
function isMovedByHand(room: Room): boolean {
  return room.inletType === "manual" && !isLimited(room);
}

export function increment(room: Room, by: number): void {
  const from = room.serving;
  room.serving = moveOver(gapsToSkip(room), from, by);
  logIncrement(room, by);
  if (room.serving < from) takeBackAdvances(room);
  if (room.serving <= from) return;
  const to = Math.min(room.serving, Math.max(from, room.queued));
  if (isMovedByHand(room) && peopleWaiting(room) > 0) noteServed(room, placesBetween(room.gaps, from, to));
  addAdvance(room);
  addBatch(room, from, to, "operator");
}

/** Lifts the operator's hold, and that of a room which nobody remembers. */
export function resumeRoom(room: Room): void {
  const wasForgotten = isForgotten(room);
  if (wasForgotten && room.edition > 0) {
    const serving = room.serving;
    placeGap(room);
    if (room.serving > serving) addAdvance(room);
  }
  if (room.edition === 0) room.edition = Math.floor(room.atMs / 1_000);
  setHold(room, "operator", false);
  setHold(room, "recovered", false);
  if (!wasForgotten) return;
  resumeDraws(room);
  followPhase(room);
}

/** Begins a new edition. */
export function resetRoom(room: Room): void {
  voidEdition(room, Math.max(room.edition + 1, Math.floor(room.atMs / 1_000)));
  clearPendingClaims(room);
  clearBatches(room);
  clearProgress(room);
  raiseVersion(room);
  if (isForgotten(room)) {
    // Nothing of the new edition can have been forgotten.
    setHold(room, "operator", true);
    setHold(room, "recovered", false);
  }
  followPhase(room);
}
