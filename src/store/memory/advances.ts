import { placesBetween } from "../../core/gaps.ts";
import type { AdvanceRow, RoomData } from "./data.ts";
import { isExempt, lowestHeld } from "./knocks.ts";
import { countPositions } from "./position-set.ts";

const absentMs = 30_000;

/** Records that places up to the serving counter are served as of now. */
export function addAdvance(room: RoomData): void {
  room.servingHigh = Math.max(room.servingHigh, room.serving);
  addRow(room, room.serving);
}

/** Open places beyond `queuedBefore` were taken just now: they are served as of now, whenever they were opened. */
export function addTakenPlaces(room: RoomData, queuedBefore: number): void {
  cutRows(room, queuedBefore);
  addRow(room, Math.min(room.serving, room.queued));
}

/** Advances close together share a row. */
function addRow(room: RoomData, to: number): void {
  const grainMs = Math.max(1_000, room.settings.effective.admission.claimWithinMs / 1_000);
  const last = room.rows.at(-1);
  if (last !== undefined && room.claimMs - last.sinceMs < grainMs) {
    last.to = to;
    last.atMs = room.claimMs;
  } else room.rows.push({ to, sinceMs: room.claimMs, atMs: room.claimMs });
}

function cutRows(room: RoomData, to: number): void {
  let cut: RoomData["rows"][number] | undefined;
  while ((room.rows.at(-1)?.to ?? 0) > to) cut = room.rows.pop();
  if (cut !== undefined && (room.rows.at(-1)?.to ?? 0) < to) room.rows.push({ ...cut, to });
}

/** Takes back advances beyond the serving counter, which an operator has moved back. */
export function takeBackAdvances(room: RoomData): void {
  // They get another window, and count when that is over.
  room.counts.noShows = Math.max(0, room.counts.noShows - unusedPlaces(room, room.serving, room.expiredThrough));
  room.expiredThrough = Math.min(room.expiredThrough, room.serving);
  cutRows(room, room.serving);
}

/** When the place was served, claim clock; before all times when its row is gone. */
export function servedAt(room: RoomData, position: number): number {
  if (position <= room.expiredThrough) return 0;
  let low = 0;
  let high = room.rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((room.rows[middle]?.to ?? 0) < position) low = middle + 1;
    else high = middle;
  }
  return room.rows[low]?.atMs ?? 0;
}

/** Whether a served place was not claimed in time, and the limiter has not kept it from that. */
export function hasExpired(room: RoomData, position: number, joinedMs: number): boolean {
  const { claimWithinMs } = room.settings.effective.admission;
  const isLate = room.claimMs > Math.max(joinedMs, servedAt(room, position)) + claimWithinMs;
  return isLate && !isExempt(room, position);
}

/**
 * Drops the rows whose places were served longer than `claimWithinMs` ago, at most `limit`, up to the first place that is
 * held at the door: it has not expired, and a recovery must know.
 */
export function expireAdvances(room: RoomData, limit: number): void {
  const oldest = room.claimMs - room.settings.effective.admission.claimWithinMs;
  let count = 0;
  const held = lowestHeld(room);
  const isOver = (row: AdvanceRow | undefined) => row !== undefined && row.atMs < oldest && row.to < held;
  while (count < limit && isOver(room.rows[count])) count++;
  if (count === 0) return;
  const last = room.rows.splice(0, count).at(-1);
  // Open places that nobody has taken yet have their time before them.
  const through = Math.max(room.expiredThrough, Math.min(last?.to ?? 0, room.queued));
  room.counts.noShows += unusedPlaces(room, room.expiredThrough, through);
  room.expiredThrough = through;
}

/** Places in (low, high] that were handed out, and neither claimed nor left. */
function unusedPlaces(room: RoomData, low: number, high: number): number {
  const last = Math.min(high, room.queued);
  if (last <= low) return 0;
  const used = countPositions(room.claimed, low + 1, last) + countPositions(room.left, low + 1, last);
  return Math.max(0, placesBetween(room.gaps, low, last) - used);
}

/** Places served more than 30 s ago that may still be claimed. */
export function absentPlaces(room: RoomData): number {
  const row = room.rows.findLast(({ atMs }) => atMs <= room.claimMs - absentMs);
  return row === undefined ? 0 : unusedPlaces(room, room.expiredThrough, row.to);
}
