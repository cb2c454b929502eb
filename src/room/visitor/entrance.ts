import type { RoomState } from "../../store/contract/room-store.ts";

/**
 * What a visitor without a place meets: a `line` to join, a room that lets everybody `pass`, or one that is `closed`, before
 * its beginning or after its end.
 */
export type Entrance = "line" | "pass" | "closed";

export function entranceOf(state: RoomState | null): Entrance {
  if (state === null) return "line";
  const { whenIdle, whenEnded } = state.settings.effective;
  switch (state.phase) {
    case "passthrough":
      return "pass";
    case "idle":
      return whenIdle === "pass_through" ? "pass" : "closed";
    case "ended":
      return whenEnded === "pass_through" ? "pass" : "closed";
    default:
      return "line";
  }
}
