import type { RoomData } from "./data.ts";

/** Records that places up to the serving counter are served as of now; advances close together share a row. */
export function addAdvance(room: RoomData): void {
  const grainMs = Math.max(1_000, room.settings.effective.admission.claimWithinMs / 1_000);
  room.servingHigh = Math.max(room.servingHigh, room.serving);
  const last = room.rows.at(-1);
  if (last !== undefined && room.claimMs - last.sinceMs < grainMs) {
    last.to = room.serving;
    last.atMs = room.claimMs;
  } else room.rows.push({ to: room.serving, sinceMs: room.claimMs, atMs: room.claimMs });
}

/** Takes back advances beyond the serving counter, which an operator has moved back. */
export function takeBackAdvances(room: RoomData): void {
  room.expiredThrough = Math.min(room.expiredThrough, room.serving);
  let cut: RoomData["rows"][number] | undefined;
  while ((room.rows.at(-1)?.to ?? 0) > room.serving) cut = room.rows.pop();
  if (cut !== undefined && (room.rows.at(-1)?.to ?? 0) < room.serving) room.rows.push({ ...cut, to: room.serving });
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

/** Drops the rows whose places were served longer than `claimWithinMs` ago, at most `limit`. */
export function expireAdvances(room: RoomData, limit: number): void {
  const oldest = room.claimMs - room.settings.effective.admission.claimWithinMs;
  let count = 0;
  while (count < limit && (room.rows[count]?.atMs ?? oldest) < oldest) count++;
  if (count === 0) return;
  const last = room.rows.splice(0, count).at(-1);
  room.expiredThrough = Math.max(room.expiredThrough, last?.to ?? 0);
}
