import type { Admission, RoomState } from "../store/room-store.ts";
import { estimateWait, type WaitEstimate } from "./estimate.ts";
import { peopleAhead } from "./line.ts";
import { pollAfterMs } from "./poll-guidance.ts";
import type { Ticket } from "./ticket.ts";

export type PlaceState = "waiting" | "served" | "admitted" | "expired";

/** What a visitor is told about their place, from what this process knows; no store is asked. */
export interface PlaceStatus {
  readonly state: PlaceState;
  readonly position: number;
  readonly ahead: number;
  readonly serving: number;
  readonly estimate: WaitEstimate | null;
  readonly pollAfterMs: number;
}

export function describePlace(state: RoomState, ticket: Ticket, admission: Admission | undefined): PlaceStatus {
  const ahead = peopleAhead(state, ticket.position);
  const placeState = placeStateOf(state, ticket, admission);
  const estimate = placeState === "waiting" ? estimateWait(state, ahead) : null;
  return {
    state: placeState,
    position: ticket.position,
    ahead,
    serving: state.serving,
    estimate,
    pollAfterMs: pollAfterMs(ahead, estimate?.high ?? null),
  };
}

function placeStateOf(state: RoomState, ticket: Ticket, admission: Admission | undefined): PlaceState {
  if (ticket.position === 0 || ticket.edition < state.edition) return "expired";
  if (ticket.claim !== null || admission?.position === ticket.position) {
    const isLive = admission?.ended == null && (ticket.claim ?? admission ?? { expiresMs: 0 }).expiresMs > state.nowMs;
    return isLive ? "admitted" : "expired";
  }
  if (ticket.position > state.serving) return "waiting";
  const { claimWithinMs } = state.settings.effective.admission;
  const hasLapsed = ticket.position <= state.expiredThrough && ticket.joinedMs + claimWithinMs < state.claimMs;
  return hasLapsed ? "expired" : "served";
}
