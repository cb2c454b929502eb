/** What holds a room, and the phase that is told while it does. */
import type { BasePhase, HoldReason, Phase, PhaseReason } from "../store/contract/room-settings.ts";
import type { Room } from "./room.ts";

const holdOrder: readonly HoldReason[] = ["recovered", "operator", "alarm", "unhealthy", "signal"];

/** Whether a hold counts in this phase. */
function countsIn(hold: HoldReason, phase: BasePhase): boolean {
  if (hold === "recovered") return true;
  return phase === "open" || (hold === "operator" && phase === "prequeue");
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

export function phaseOf(room: Room): Phase {
  return phaseReason(room) === null ? room.basePhase : "paused";
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
  const holds: HoldReason[] = [];
  for (const hold of holdOrder) {
    if (hold === reason) {
      if (isSet) holds.push(hold);
    } else if (hasHold(room, hold)) holds.push(hold);
  }
  room.holds = holds;
  raiseVersion(room);
}
