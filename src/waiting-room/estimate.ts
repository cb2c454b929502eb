import type { RoomState } from "../store/room-store.ts";

/** A wait as a range, in seconds. Both ends are rounded to what can be known. */
export interface WaitEstimate {
  readonly low: number;
  readonly high: number;
}

/** How far the real pace may be off, as a fraction: a limit is kept more exactly than a measurement. */
const spreadOfLimit = 0.1;
const spreadOfMeasure = 0.35;

/**
 * People ahead ÷ (the limit where it binds, else the measured outflow), as a range. Null when nothing is known:
 * the room is paused, or an operator moves the line by hand and has not moved it lately.
 */
export function estimateWait(state: RoomState, ahead: number): WaitEstimate | null {
  if (state.phase !== "open") return null;
  const { type, outflowPerMinute: limit } = state.settings.effective.inlet;
  const limitBinds = type === "periodic" && limit !== null;
  const perMinute = limitBinds ? limit : state.outflowPerMinute;
  if (perMinute < 0.5) return null;
  const seconds = ((ahead + 1) * 60) / perMinute + state.holdRemainingMs / 1_000;
  const spread = limitBinds ? spreadOfLimit : spreadOfMeasure;
  return { low: roundDown(seconds * (1 - spread)), high: roundUp(seconds * (1 + spread)) };
}

function roundDown(seconds: number): number {
  return seconds < 60 ? Math.floor(seconds / 5) * 5 : Math.floor(seconds / 60) * 60;
}

function roundUp(seconds: number): number {
  return seconds < 60 ? Math.max(5, Math.ceil(seconds / 5) * 5) : Math.ceil(seconds / 60) * 60;
}
