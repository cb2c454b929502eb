/** The gap that a recovery leaves: positions that may have been issued unseen. It is settled once all visitors had time to show their tickets. */

import { skipGapsFrom } from "../draw/draws.ts";
import { firstComing, isForgotten, isLimited } from "../holds.ts";
import { normalizeGaps } from "../positions.ts";
import { clearPushes } from "../push-rows.ts";
import { createPlaces, type Room } from "../room.ts";
import type { Gap } from "../rows.ts";

/**
 * Every page whose place may be in it has asked by then: those are of visitors who joined last, and a page first asks within 40 s. And no inlet that a limit holds after a recovery
 * serves before.
 */
const gapSettlesMs = 55_000;
const smallestGap = 1_000;
const peakSeconds = 10;

/** Joins in the busiest second of the last ten, or the peak others remembered while that still matters. */
export function joinPeak(room: Room): number {
  const oldest = Math.floor(room.flowMs / 1_000) - peakSeconds;
  let peak = room.recoveringUntilMs > 0 || isForgotten(room) ? room.joinPeak : 0;
  for (const joins of room.joinSeconds) {
    if (joins.second > oldest) peak = Math.max(peak, joins.count);
  }
  return peak;
}

/** Skips the positions that may have been handed out unseen. */
export function placeGap(room: Room): void {
  skipTo(room, room.queued + Math.max(smallestGap, 5 * joinPeak(room)));
}

/** Nobody gets the positions up to `to` any more. Open places stay open behind them; else they are a gap that is not settled. */
export function skipTo(room: Room, to: number): void {
  if (room.serving > room.queued) settleGaps(room);
  // Of a draw to come, the gap will be behind the entries, whatever is served already.
  const isDrawn = firstComing(room) > 0;
  const open = isDrawn ? 0 : Math.max(0, room.serving - room.queued);
  const from = room.queued + 1;
  const gaps: Gap[] = [{ from, to }];
  for (const gap of room.gaps) gaps.push(gap);
  room.gaps = normalizeGaps(gaps);
  room.queued = to;
  if (open > 0) room.serving = to + open;
  else if (!isDrawn && (isLimited(room) || room.inletType !== "max_active")) {
    room.unsettledFrom = room.unsettledFrom === 0 ? from : Math.min(room.unsettledFrom, from);
    room.settlesMs = room.flowMs + gapSettlesMs;
  }
}

/**
 * Who stands in a gap has shown the ticket by now, and it is skipped for nothing from here on. What was served of it meanwhile
 * is served behind it.
 */
export function settleGaps(room: Room): void {
  const from = room.unsettledFrom;
  room.unsettledFrom = 0;
  room.settlesMs = 0;
  if (from > 0) skipGapsFrom(room, from);
}

export function areGapsDue(room: Room): boolean {
  return room.settlesMs > 0 && room.flowMs >= room.settlesMs;
}

export function isInGap(room: Room, position: number): boolean {
  return room.gaps.some((gap) => position >= gap.from && position <= gap.to);
}

/** Begins an edition: counters at 0; places, gaps, draws and rows void; nothing is claimed or left; nobody is to be notified. */
export function voidEdition(room: Room, edition: number): void {
  Object.assign(room, createPlaces());
  clearPushes(room);
  room.edition = edition;
}
