/** Claims that the limiter refused lately: those of lower positions go first, and their places do not expire. */
import {
  clearSet,
  countBelow,
  lowestScore,
  removeMember,
  removeMembers,
  scoreOf,
  setScore,
  takeBelow,
} from "./ports/scored-set.ts";
import type { Room } from "./room.ts";

const knockMs = 5_000;
/** A place that the limiter refused within this time (claim clock) does not expire. */
const exemptMs = 30_000;

/** Forgets those who have not knocked for 5 s of the flow clock, at most `limit`. */
export function pruneKnocks(room: Room, limit: number): void {
  removeMembers(room.knocks, takeBelow(room.knockTimes, room.flowMs - knockMs, limit));
  removeMembers(room.held, takeBelow(room.heldTimes, room.claimMs - exemptMs, limit));
}

/** The lowest place that was refused lately; rows with such places do not expire. Null for none. */
export function lowestHeld(room: Room): number | null {
  return lowestScore(room.held);
}

/** How many lower positions are knocking. */
export function knockRank(room: Room, position: number): number {
  return countBelow(room.knocks, position);
}

export function isKnocking(room: Room, position: number): boolean {
  return scoreOf(room.knockTimes, position) !== null;
}

/** Whether the limiter has kept this place from being claimed lately, so that it does not expire. */
export function isExempt(room: Room, position: number): boolean {
  const heldMs = scoreOf(room.heldTimes, position);
  return heldMs !== null && heldMs >= room.claimMs - exemptMs;
}

export function knock(room: Room, position: number): void {
  setScore(room.knocks, position, position);
  setScore(room.knockTimes, position, room.flowMs);
  setScore(room.heldTimes, position, room.claimMs);
  setScore(room.held, position, position);
}

/** Whoever comes with a bypass link knocks at position 0, before all places. That keeps no place from expiring. */
export function knockFirst(room: Room): void {
  setScore(room.knocks, 0, 0);
  setScore(room.knockTimes, 0, room.flowMs);
}

export function stopKnockingFirst(room: Room): void {
  if (removeMember(room.knocks, 0)) removeMember(room.knockTimes, 0);
}

export function stopKnocking(room: Room, position: number): void {
  if (removeMember(room.knocks, position)) removeMember(room.knockTimes, position);
  if (removeMember(room.heldTimes, position)) removeMember(room.held, position);
}

export function clearKnocks(room: Room): void {
  clearSet(room.knocks);
  clearSet(room.knockTimes);
  clearSet(room.heldTimes);
  clearSet(room.held);
}
