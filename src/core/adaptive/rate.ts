/** The rate of an `adaptive` inlet. */
import { createAdaptive, type Room } from "../room.ts";

export function isAdaptive(room: Room): boolean {
  return room.inletType === "adaptive" && room.limit !== null;
}

/** What the room lets in by a minute now: the rate in force of an `adaptive` inlet, else the room's own limit; null for none. */
export function ratePerMinute(room: Room): number | null {
  if (room.limit === null || !isAdaptive(room)) return room.limit;
  if (room.adaptive.rate === 0) return room.rateStart;
  return Math.min(room.limit, Math.max(room.rateFloor, room.adaptive.rate));
}

/** Whatever was gathered and decided is void, but for the rate and the baseline that are given. */
export function resetAdaptive(room: Room, rate: number, baselineMs: number | null): void {
  if (room.adaptive.rate !== rate) room.adaptive.rate = rate;
  if (room.adaptive.baselineMs !== baselineMs) room.adaptive.baselineMs = baselineMs;
  if (room.adaptive.sinceMs === 0 && room.adaptive.reported === 0 && room.adaptive.admittedNow === 0) return;
  Object.assign(room.adaptive, createAdaptive());
  room.adaptive.rate = rate;
  room.adaptive.baselineMs = baselineMs;
}
