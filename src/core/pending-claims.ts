/** Claims that the limiter refused lately: those of lower positions go first, and their places do not expire. */
import { countBelow, removeMember, removeMembers, scoreAt, scoreOf, setScore, takeBelow } from "./ports/scored-set.ts";
import { createPendingClaims, type Room } from "./room.ts";

const pendingClaimMs = 5_000;
/** A place that the limiter refused within this time (claim clock) does not expire. */
const exemptMs = 30_000;

/** Forgets those that were not made again for 5 s of the flow clock, at most `limit`. */
export function prunePendingClaims(room: Room, limit: number): void {
  removeMembers(room.pendingClaims, takeBelow(room.pendingClaimTimes, room.flowMs - pendingClaimMs, limit));
  removeMembers(room.held, takeBelow(room.heldTimes, room.claimMs - exemptMs, limit));
}

/** The lowest place that was refused lately; rows with such places do not expire. Null for none. */
export function lowestRefused(room: Room): number | null {
  return scoreAt(room.held, 0);
}

/** How many claims of lower positions are pending. */
export function pendingRank(room: Room, position: number): number {
  return countBelow(room.pendingClaims, position);
}

export function isClaimPending(room: Room, position: number): boolean {
  return scoreOf(room.pendingClaimTimes, position) !== null;
}

/** Whether the limiter has kept this place from being claimed lately, so that it does not expire. */
export function isExempt(room: Room, position: number): boolean {
  const refusedMs = scoreOf(room.heldTimes, position);
  return refusedMs !== null && refusedMs >= room.claimMs - exemptMs;
}

export function addPendingClaim(room: Room, position: number): void {
  setScore(room.pendingClaims, position, position);
  setScore(room.pendingClaimTimes, position, room.flowMs);
  setScore(room.heldTimes, position, room.claimMs);
  setScore(room.held, position, position);
}

/** A claim by a bypass link is pending at position 0, before all places. It keeps no place from expiring. */
export function addPendingBypass(room: Room): void {
  setScore(room.pendingClaims, 0, 0);
  setScore(room.pendingClaimTimes, 0, room.flowMs);
}

export function removePendingClaim(room: Room, position: number): void {
  if (removeMember(room.pendingClaims, position)) removeMember(room.pendingClaimTimes, position);
  if (removeMember(room.heldTimes, position)) removeMember(room.held, position);
}

export function clearPendingClaims(room: Room): void {
  Object.assign(room, createPendingClaims());
}
