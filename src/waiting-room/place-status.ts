import type { Admission, RoomState } from "../store/room-store.ts";
import { isLiveAt } from "./admission-times.ts";
import type { AdvanceLog } from "./advance-log.ts";
import { estimateWait, type WaitEstimate } from "./estimate.ts";
import { peopleAhead } from "./line.ts";
import { pollAfterMs, pollGuidance } from "./poll-guidance.ts";
import type { Ticket } from "./ticket.ts";

/** `entered`: the prequeue; the position is the entry number, and places are given in that order. */
export type PlaceState = "entered" | "waiting" | "served" | "admitted" | "expired";

/** What a visitor is told about their place, from what this process knows; no store is asked. */
export interface PlaceStatus {
  readonly state: PlaceState;
  readonly position: number;
  readonly ahead: number;
  readonly serving: number;
  readonly estimate: WaitEstimate | null;
  /** Served: milliseconds for which the turn is held yet; standing still in a pause. Null where not known, or not served. */
  readonly heldForMs: number | null;
  readonly pollAfterMs: number;
}

/** @param isElsewhere whether the place was moved to somebody else */
export function describePlace(
  state: RoomState,
  ticket: Ticket,
  admission: Admission | undefined,
  advances: AdvanceLog,
  isElsewhere = false,
): PlaceStatus {
  const ahead = peopleAhead(state, ticket.position);
  const placeState = placeStateOf(state, ticket, admission, isElsewhere);
  const estimate = placeState === "waiting" ? estimateWait(state, ahead) : null;
  return {
    state: placeState,
    position: ticket.position,
    ahead,
    serving: state.serving,
    estimate,
    heldForMs: placeState === "served" ? heldForMs(state, ticket, advances) : null,
    // Nothing moves before the line begins or after its end.
    pollAfterMs: hasLine(state) ? pollAfterMs(ahead, estimate?.high ?? null) : pollGuidance.ceilingMs,
  };
}

function hasLine({ basePhase }: RoomState): boolean {
  return basePhase !== "idle" && basePhase !== "ended";
}

function placeStateOf(
  state: RoomState,
  ticket: Ticket,
  admission: Admission | undefined,
  isElsewhere: boolean,
): PlaceState {
  if (ticket.claim !== null || (admission !== undefined && admission.position === ticket.position)) {
    // What the store said last is newer than the ticket: admissions may be extended, or ended.
    const isLive = admission === undefined ? (ticket.claim?.expiresMs ?? 0) > state.nowMs : isLiveAt(state, admission);
    return isLive ? "admitted" : "expired";
  }
  if (ticket.position === 0 || ticket.edition < state.edition) return "expired";
  // Everybody enters, and nothing lapses.
  if (state.basePhase === "passthrough") return "served";
  if (isElsewhere) return "expired";
  if (state.basePhase === "prequeue") return "entered";
  if (ticket.position > state.serving) return "waiting";
  const { claimWithinMs } = state.settings.effective.admission;
  const hasLapsed = ticket.position <= state.expiredThrough && ticket.joinedMs + claimWithinMs < state.claimMs;
  return hasLapsed ? "expired" : "served";
}

function heldForMs(state: RoomState, ticket: Ticket, advances: AdvanceLog): number | null {
  const servedMs = advances.servedMs(ticket.position);
  if (servedMs === null) return null;
  const { claimWithinMs } = state.settings.effective.admission;
  return Math.max(0, Math.max(servedMs, ticket.joinedMs) + claimWithinMs - state.claimMs);
}
