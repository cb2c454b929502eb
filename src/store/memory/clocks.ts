import type { RoomData } from "./data.ts";

const maxStepMs = 5_000;

export function outflowLimit(room: RoomData): number | null {
  return room.settings.effective.inlet.outflowPerMinute;
}

/** Whether the hold after a recovery still keeps everybody out. Rooms without a limit are never held. */
export function isHeld(room: RoomData): boolean {
  return outflowLimit(room) !== null && room.flowMs < room.holdUntilMs;
}

/**
 * Moves the room's clocks by the time since the last call, clamped to 0…5 s. The claim clock stands still
 * while the room is paused, recovering or held.
 */
export function advanceClocks(room: RoomData, nowMs: number): void {
  const elapsed = Math.min(Math.max(nowMs - room.atMs, 0), maxStepMs);
  const wasHeld = isHeld(room);
  room.atMs = nowMs;
  room.flowMs += elapsed;
  if (room.phase !== "open" || room.recoveringUntilMs > 0) return;
  // A hold that ended within this step stops the claim clock only for its own part of it.
  room.claimMs += wasHeld ? Math.min(elapsed, Math.max(0, room.flowMs - room.holdUntilMs)) : elapsed;
}
