import type { Gap, RoomState } from "../store/contract/room-store.ts";

/** People between the serving counter and a position; gaps hold nobody. */
export function peopleAhead(state: Pick<RoomState, "serving" | "gaps">, position: number): number {
  return Math.max(0, position - state.serving - 1 - gapBetween(state.gaps, state.serving, position));
}

/** People who hold a place above the serving counter. */
export function peopleWaiting(state: Pick<RoomState, "serving" | "queued" | "gaps">): number {
  return Math.max(0, state.queued - state.serving - gapBetween(state.gaps, state.serving, state.queued + 1));
}

/** Positions of gaps strictly between two positions. */
function gapBetween(gaps: readonly Gap[], low: number, high: number): number {
  let sum = 0;
  for (const { from, to } of gaps) {
    sum += Math.max(0, Math.min(to, high - 1) - Math.max(from, low + 1) + 1);
  }
  return sum;
}
