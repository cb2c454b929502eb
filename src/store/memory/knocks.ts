import type { RoomData } from "./data.ts";
import { clearSet, countBelow, removeMember, setScore } from "./scored-set.ts";

const knockMs = 5_000;
/** A place that the limiter refused within this time (claim clock) does not expire. */
const exemptMs = 30_000;

function pruneTimes(times: Map<number, number>, beforeMs: number, limit: number, forget?: (p: number) => void): void {
  let count = 0;
  for (const [position, atMs] of times) {
    if (atMs >= beforeMs || count++ >= limit) break;
    times.delete(position);
    forget?.(position);
  }
}

/** Forgets those who have not knocked for 5 s of the flow clock, at most `limit`. */
export function pruneKnocks(room: RoomData, limit: number): void {
  pruneTimes(room.knockTimes, room.flowMs - knockMs, limit, (position) => removeMember(room.knocks, position));
  pruneTimes(room.heldTimes, room.claimMs - exemptMs, limit, (position) => removeMember(room.held, position));
}

/** The lowest place that was refused lately; rows with such places do not expire. */
export function lowestHeld(room: RoomData): number {
  return room.held.order[0]?.member ?? Number.POSITIVE_INFINITY;
}

/** How many lower positions are knocking. */
export function knockRank(room: RoomData, position: number): number {
  return countBelow(room.knocks, position);
}

export function isKnocking(room: RoomData, position: number): boolean {
  return room.knockTimes.has(position);
}

/** Whether the limiter has kept this place from being claimed lately, so that it does not expire. */
export function isExempt(room: RoomData, position: number): boolean {
  const heldMs = room.heldTimes.get(position);
  return heldMs !== undefined && heldMs >= room.claimMs - exemptMs;
}

export function knock(room: RoomData, position: number): void {
  if (!room.knockTimes.delete(position)) setScore(room.knocks, position, position);
  room.knockTimes.set(position, room.flowMs);
  if (!room.heldTimes.delete(position)) setScore(room.held, position, position);
  room.heldTimes.set(position, room.claimMs);
}

/** Whoever comes with a bypass link knocks at position 0, before all places. That keeps no place from expiring. */
export function knockFirst(room: RoomData): void {
  room.knockTimes.delete(0);
  setScore(room.knocks, 0, 0);
  room.knockTimes.set(0, room.flowMs);
}

export function stopKnockingFirst(room: RoomData): void {
  room.knockTimes.delete(0);
  removeMember(room.knocks, 0);
}

export function stopKnocking(room: RoomData, position: number): void {
  room.knockTimes.delete(position);
  room.heldTimes.delete(position);
  removeMember(room.knocks, position);
  removeMember(room.held, position);
}

export function clearKnocks(room: RoomData): void {
  room.knockTimes.clear();
  room.heldTimes.clear();
  clearSet(room.knocks);
  clearSet(room.held);
}
