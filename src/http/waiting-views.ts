import type { RoomState, WaitingRoom } from "../waiting-room/index.ts";
import type { WaitingState, WaitingView } from "./pages/index.ts";
import { pollJson } from "./public/status.ts";

/**
 * One view object for as long as the room's state stays, since pages are compiled once for each.
 *
 * @returns a function of the room, its state (null where nothing is known of the line) and why the visitor waits.
 */
export function createViewCache(): (room: WaitingRoom, known: RoomState | null, state: WaitingState) => WaitingView {
  const views = new WeakMap<RoomState | WaitingRoom, Map<WaitingState, WaitingView>>();
  return (room, known, state) => {
    const key = known ?? room;
    let byState = views.get(key);
    if (byState === undefined) {
      byState = new Map();
      views.set(key, byState);
    }
    let view = byState.get(state);
    if (view === undefined) {
      view = createView(room, known, state);
      byState.set(state, view);
    }
    return view;
  };
}

function createView(room: WaitingRoom, known: RoomState | null, state: WaitingState): WaitingView {
  const settings = room.state?.settings.effective ?? room.fileSettings;
  const common = {
    room: { id: room.id, title: room.title },
    state,
    poll: pollJson,
    limitBinds: settings.inlet.type === "periodic",
    statusUrl: `/rooms/${room.id}/status`,
    leaveUrl: `/rooms/${room.id}/leave`,
  };
  if (known === null) {
    return { ...common, pausedReason: null, serving: null, message: null, updatedAtMs: null };
  }
  return {
    ...common,
    pausedReason: known.phaseReason,
    serving: known.serving,
    message: settings.message ?? null,
    updatedAtMs: room.refreshedMs,
    claimWithinMs: settings.admission.claimWithinMs,
  };
}
