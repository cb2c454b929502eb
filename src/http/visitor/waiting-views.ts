import type { Theme, WaitingState, WaitingView } from "../../pages/index.ts";
import { type HeldClaim, paceOf, type RoomState, type WaitingRoom } from "../../room/index.ts";
import { pollJson } from "./status.ts";

/**
 * One view object for as long as the room's state stays, since pages are compiled once for each.
 *
 * @returns a function of the room, its state (null where nothing is known of the line), why the visitor waits, for `held` what
 * holds them back (default: the limit), how the page looks, and whether the visitor's place is drawn.
 */
export function createViewCache() {
  const views = new WeakMap<RoomState | WaitingRoom, Map<Theme | undefined, Map<string, WaitingView>>>();
  return (
    room: WaitingRoom,
    known: RoomState | null,
    state: WaitingState,
    held: HeldClaim | null = null,
    theme?: Theme,
    draw: WaitingView["draw"] = null,
  ): WaitingView => {
    const owner = known ?? room.state ?? room;
    const byTheme = views.get(owner) ?? new Map<Theme | undefined, Map<string, WaitingView>>();
    views.set(owner, byTheme);
    const byReason = byTheme.get(theme) ?? new Map<string, WaitingView>();
    byTheme.set(theme, byReason);
    const by = state === "held" ? (held?.by ?? "limit") : null;
    const isBehind = by !== null && (held?.rank ?? 0) > 0;
    const key = `${state} ${by} ${isBehind} ${draw} ${known !== null}`;
    const view = byReason.get(key) ?? createView(room, known, state, { heldBy: by, isBehind, theme, draw });
    byReason.set(key, view);
    return view;
  };
}

function createView(
  room: WaitingRoom,
  known: RoomState | null,
  state: WaitingState,
  own: Pick<WaitingView, "heldBy" | "isBehind" | "theme" | "draw">,
): WaitingView {
  const { settings } = room;
  const common = {
    room: { id: room.id, title: room.title },
    state,
    ...own,
    poll: pollJson,
    statusUrl: `/rooms/${room.id}/status`,
    leaveUrl: `/rooms/${room.id}/leave`,
    drawUrl: `/rooms/${room.id}/draw`,
    timeZone: settings.timeZone,
    claimUrl: `/rooms/${room.id}/tickets/me/claim`,
    // The room's, whatever is known of the line.
    message: room.message,
  };
  if (known === null) {
    const nothing = {
      pausedReason: null,
      serving: null,
      updatedAtMs: null,
      pace: null,
      opensAtMs: null,
    };
    return { ...common, ...nothing };
  }
  const { opensAtMs } = settings.schedule;
  return {
    ...common,
    pausedReason: known.phaseReason,
    serving: known.serving,
    updatedAtMs: room.refreshedMs,
    pace: paceOf(known),
    // A time that was carried out, or passed over, opens nothing any more.
    opensAtMs: opensAtMs !== null && opensAtMs > known.scheduleMarkMs ? opensAtMs : null,
    claimWithinMs: settings.admission.claimWithinMs,
  };
}
