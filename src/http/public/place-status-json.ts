import type { PlaceStatus } from "../../waiting-room/index.ts";

/** What a ticket's holder is told, on the wire. */
export function placeStatusJson(place: PlaceStatus, retryMs: number | null = null) {
  return {
    state: place.state,
    position: place.position,
    ahead: place.ahead,
    serving: place.serving,
    estimated_wait_seconds: place.estimate,
    poll_after_ms: retryMs ?? place.pollAfterMs,
  };
}
