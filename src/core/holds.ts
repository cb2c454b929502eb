/**
 * What holds a room (an operator's pause, an alarm, everything sold, …), and the phase that is reported meanwhile. Every script asks for the
 * phase several times; loops cost less in Lua than the functions that `find` takes.
 */
import type { BasePhase, HoldReason, Phase, PhaseReason } from "../store/contract/room-settings.ts";
import type { Room } from "./room.ts";

export const holdOrder: readonly HoldReason[] = ["recovered", "sold_out", "operator", "alarm", "unhealthy", "signal"];

/** Whether a hold counts in this phase. */
function countsIn(hold: HoldReason, phase: BasePhase): boolean {
  if (hold === "recovered") return true;
  return phase === "open" || ((hold === "operator" || hold === "sold_out") && phase === "prequeue");
}

export function hasHold(room: Room, reason: HoldReason): boolean {
  for (const hold of room.holds) {
    if (hold === reason) return true;
  }
  return false;
}

/** Null when nothing holds the room in its phase. */
export function phaseReason(room: Room): PhaseReason {
  for (const hold of room.holds) {
    if (countsIn(hold, room.basePhase)) return hold === "signal" ? "unhealthy" : hold;
  }
  return null;
}

/** Whether what holds the room is the end of its line. */
function isLineEnd(room: Room, reason: PhaseReason): boolean {
  return reason === "sold_out" && !room.hasReturns;
}

/** Whether the line is over since everything is sold. */
export function isLineOver(room: Room): boolean {
  return isLineEnd(room, phaseReason(room));
}

export function phaseOf(room: Room): Phase {
  const reason = phaseReason(room);
  if (reason === null) return room.basePhase;
  return isLineEnd(room, reason) ? "ended" : "paused";
}

/** Whether nobody remembers the room, so that an operator has to say how it goes on. */
export function isForgotten(room: Room): boolean {
  return hasHold(room, "recovered");
}

/** Notes a change. Whatever changes in a forgotten room, it stays at 0: a true memory of it wins. */
export function raiseVersion(room: Room): void {
  if (!isForgotten(room)) room.version++;
}

export function setHold(room: Room, reason: HoldReason, isSet: boolean): void {
  if (hasHold(room, reason) === isSet) return;
  room.holds = holdOrder.filter((hold) => {
    if (hold === reason) return isSet;
    return hasHold(room, hold);
  });
  raiseVersion(room);
}

/** @param latencyMs null where the site did not say in time that it is well */
export function reportHealth(room: Room, latencyMs: number | null): void {
  if (room.unhealthyAfter === null || room.healthyAfter === null) return;
  const isHealthy = latencyMs !== null;
  room.health.latencyMs = latencyMs;
  room.health.reportedMs = room.flowMs;
  room.health.failures = isHealthy ? 0 : room.health.failures + 1;
  room.health.successes = isHealthy ? room.health.successes + 1 : 0;
  if (room.health.failures >= room.unhealthyAfter) setHold(room, "unhealthy", true);
  if (room.health.successes >= room.healthyAfter) setHold(room, "unhealthy", false);
}

// What is left to sell, as the shop says it, and the hold of a room that is sold out: its stock is 0, or the operator's message says so.
// While visitors may wait for what is returned, the room is paused; else its line is over, as if it had ended, until that is taken back.

/** Holds the room while it is sold out. For whatever has changed the message or the stock; a recovery does it at its end. */
export function followStock(room: Room): void {
  setHold(room, "sold_out", room.saysSoldOut || room.stockLeft === 0);
}

/**
 * Takes the number that is left; null: none is told any more.
 *
 * @param asOfMs when it was true, as the shop says (now), no later than now; null: it does not say. What is older than the last is ignored
 */
export function recordStock(room: Room, left: number | null, asOfMs: number | null): void {
  const atMs = asOfMs === null ? room.atMs : Math.min(asOfMs, room.atMs);
  if (asOfMs !== null && atMs < room.stockAsOfMs) return;
  room.stockLeft = left;
  room.stockAsOfMs = atMs;
  room.stockMark = Math.max(room.stockMark + 1, room.atMs);
  followStock(room);
}
