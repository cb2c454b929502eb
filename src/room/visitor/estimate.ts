import type { RoomState } from "../../store/contract/room-store.ts";
import { type Pace, paceOf, secondsFor } from "../replica/pace.ts";

/** A wait as a range, in seconds. Both ends are rounded to what can be known. */
export interface WaitEstimate {
  readonly low: number;
  readonly high: number;
}

/**
 * The wait in a room as a range. Null when nothing is known: the room is not open, or an operator moves the line by hand and
 * has not moved it lately.
 */
export function estimateWait(state: RoomState, ahead: number): WaitEstimate | null {
  return state.phase === "open" ? waitAtPace(paceOf(state), ahead) : null;
}

/** People ahead ÷ pace, as a range. src/browser/line-figures.ts reckons in the same way. */
export function waitAtPace(pace: Pace, ahead: number): WaitEstimate | null {
  const seconds = secondsFor(pace, ahead + 1);
  if (seconds === null) return null;
  const { spread } = pace;
  return { low: roundDown(seconds * (1 - spread)), high: roundUp(seconds * (1 + spread)) };
}

function roundDown(seconds: number): number {
  return seconds < 60 ? Math.floor(seconds / 5) * 5 : Math.floor(seconds / 60) * 60;
}

function roundUp(seconds: number): number {
  return seconds < 60 ? Math.max(5, Math.ceil(seconds / 5) * 5) : Math.ceil(seconds / 60) * 60;
}
