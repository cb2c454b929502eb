/**
 * Joins take consecutive positions, and serve those that need not wait. `maxWaiting` bounds the waiting ones: places that are open or served
 * at once do not count. Leaving voids a place for the rest of its edition.
 */

import type { LeaveRequest } from "../store/contract/room-claim.ts";
import type { JoinRange } from "../store/contract/room-store.ts";
import { peopleWaiting } from "./clocks.ts";
import { keepRows, voidedJoins } from "./draw/voids.ts";
import { drawIdOf, isForgotten, isLineOver, isPlaced, lacksCommitment, numberOf } from "./holds.ts";
import { placesServedAtOnce, serve } from "./inlet.ts";
import { isElsewhere } from "./moves.ts";
import { addPosition, hasPosition } from "./ports/sets.ts";
import { addBatch } from "./progress.ts";
import { forgetPush } from "./push-rows.ts";
import type { Room } from "./room.ts";
import { addTakenPlaces, removePendingClaim } from "./served-places.ts";

/** When a join that is not possible yet is to be asked for again. */
export const joinRetryMs = 2_000;

/**
 * Takes up to `count` consecutive positions, and serves those that need not wait. Null while that is not possible yet: nobody
 * remembers the room, or nothing binds the seed of its draw. None are taken where some of those who join come from a voided block.
 *
 * @param rows the blocks of those who join, where they are entries of a draw; else ""
 */
export function join(room: Room, count: number, rows: string): JoinRange | null {
  if (isForgotten(room) || lacksCommitment(room)) return null;
  const first = room.queued + 1;
  const voided = voidedJoins(room, rows);
  const granted = hasLine(room) && voided.length === 0 ? grant(room, count) : 0;
  keepRows(room, first, granted, rows);
  let refusal: JoinRange["refusal"] = null;
  if (!hasLine(room)) refusal = "closed";
  else if (voided.length > 0) refusal = "voided";
  else if (granted < count) {
    refusal = "full";
    // A tick tells it, which costs joins nothing.
    if (room.fullMs === 0) room.fullMs = room.atMs;
  }
  return {
    edition: room.edition,
    first,
    last: room.queued,
    refusal,
    voided,
    joinedMs: room.claimMs,
    serving: room.serving,
  };
}

function hasLine(room: Room): boolean {
  return (room.basePhase === "open" || room.basePhase === "prequeue") && !isLineOver(room);
}

/** Answers how many were given. */
function grant(room: Room, count: number): number {
  const waiting = peopleWaiting(room);
  const open = Math.max(0, room.serving - room.queued);
  const atOnce = waiting === 0 && open === 0 ? placesServedAtOnce(room, count) : 0;
  const left = room.maxWaiting === null ? count : open + atOnce + Math.max(0, room.maxWaiting - waiting);
  const granted = Math.min(count, left);
  if (granted <= 0) return 0;
  const queuedBefore = room.queued;
  room.queued += granted;
  room.counts.joined += granted;
  recordJoins(room, granted);
  if (open > 0) {
    addTakenPlaces(room, queuedBefore);
    addBatch(room, queuedBefore, Math.min(room.serving, room.queued), "inlet");
  }
  serve(room, Math.min(atOnce, granted));
  return granted;
}

function recordJoins(room: Room, count: number): void {
  const second = Math.floor(room.flowMs / 1_000);
  const seconds = room.joinSeconds;
  const last = seconds[seconds.length - 1];
  if (last !== undefined && last.second === second) last.count += count;
  else seconds.push({ second, count });
  while (seconds.length > 10) seconds.shift();
  room.joinSeconds = seconds;
}

// Voids a place for the rest of its edition. A place that was left is not admitted. Idempotent.

export function leave(room: Room, place: LeaveRequest): void {
  const number = numberOf(place);
  const position = place.position;
  if (place.edition !== room.edition || isElsewhere(room, number, place.sub)) return;
  if (room.hasPush) forgetPush(room, place.sub);
  const isPositioned = isPlaced(room, number, drawIdOf(place));
  if (isPositioned) removePendingClaim(room, position);
  // Nobody holds a place that was not handed out yet; the ticket proves a loss, which its holder reports by claiming.
  if (number > room.queued || hasPosition(room.usedEntries, number)) return;
  // Where it will stand, or stands, is not known; else a place that was claimed is used up already, and one counts once.
  if (!isPositioned) addPosition(room.usedEntries, number);
  else if (hasPosition(room.claimedPlaces, position) || hasPosition(room.leftPlaces, position)) return;
  else addPosition(room.leftPlaces, position);
  room.counts.left++;
}
