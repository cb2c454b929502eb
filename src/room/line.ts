/** What a state says of the line. */
import type { BasePhase, Gap, RoomState, Schedule } from "../store/contract/room-store.ts";

/** People between the serving counter and a position; gaps hold nobody. */
export function peopleAhead(state: Pick<RoomState, "serving" | "gaps">, position: number): number {
  return Math.max(0, position - state.serving - 1 - gapBetween(state.gaps, state.serving, position));
}

/** People who hold a place above the serving counter; voided entries hold nobody. */
export function peopleWaiting(
  state: Pick<RoomState, "serving" | "queued" | "gaps"> & Partial<Pick<RoomState, "voidedEntries">>,
): number {
  return Math.max(0, peopleAhead(state, state.queued + 1) - (state.voidedEntries ?? 0));
}

/** Positions of gaps strictly between two positions. */
export function gapBetween(gaps: readonly Gap[], low: number, high: number): number {
  let sum = 0;
  for (const { from, to } of gaps) {
    sum += Math.max(0, Math.min(to, high - 1) - Math.max(from, low + 1) + 1);
  }
  return sum;
}

/**
 * What a visitor without a place meets: a `line` to join, a room that lets everybody `pass`, or one that is `closed`, before
 * its beginning or after its end.
 */
export type Entrance = "line" | "pass" | "closed";

export function entranceOf(state: RoomState | null): Entrance {
  if (state === null) return "line";
  const { phase, phaseReason, settings } = state;
  if (phase === "passthrough") return "pass";
  if (phase !== "idle" && phase !== "ended") return "line";
  // Sold out: the site has nothing for so many.
  if (phaseReason === "sold_out") return "closed";
  const { whenIdle, whenEnded } = settings.effective;
  return (phase === "idle" ? whenIdle : whenEnded) === "pass_through" ? "pass" : "closed";
}

/** The address to which visitors of a phase without a line are sent; null where they are not. */
export function redirectOf(state: Pick<RoomState, "phase" | "phaseReason" | "settings"> | null): string | null {
  if (state?.phase !== "idle" && state?.phase !== "ended") return null;
  // They read first that nothing is left.
  if (state.phaseReason === "sold_out") return null;
  const { whenIdle, whenEnded } = state.settings.effective;
  const behaviour = state.phase === "idle" ? whenIdle : whenEnded;
  return behaviour === "page" || behaviour === "pass_through" ? null : behaviour;
}

/** The phases in which each time of the schedule that is still to come will change something: it moves a room forward only. */
export const phasesBefore: { readonly [Time in keyof Schedule]: readonly BasePhase[] } = {
  prequeueAtMs: ["idle"],
  opensAtMs: ["idle", "prequeue"],
  endsAtMs: ["idle", "prequeue", "open"],
};
