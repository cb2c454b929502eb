import type { ThemeConfig } from "../../../config/index.ts";
import { type HeldClaim, paceOf, type RoomState, type WaitingRoom } from "../../../room/index.ts";
import type { WaitingState, WaitingView } from "../../pages/index.ts";
import { drawJson, stockJson } from "../../pages/render/status-json.ts";
import { pollJson } from "../status.ts";
import { whileWaitingOffer } from "./while-waiting.ts";

/**
 * One view object for as long as the room's state stays, since pages are compiled once for each.
 *
 * @returns a function of the room, its state (null where nothing is known of the line), why the visitor waits, for `held` what
 * holds them back (default: the limit), how the page looks, and whether the visitor's place is drawn.
 */
export function createViewCache() {
  const views = new WeakMap<RoomState | WaitingRoom, Map<ThemeConfig | undefined, Map<string, WaitingView>>>();
  return (
    room: WaitingRoom,
    known: RoomState | null,
    state: WaitingState,
    held: HeldClaim | null = null,
    theme?: ThemeConfig,
    draw: WaitingView["draw"] = null,
  ): WaitingView => {
    const owner = known ?? room.state ?? room;
    const byTheme = views.get(owner) ?? new Map<ThemeConfig | undefined, Map<string, WaitingView>>();
    views.set(owner, byTheme);
    const byReason = byTheme.get(theme) ?? new Map<string, WaitingView>();
    byTheme.set(theme, byReason);
    const heldBy = state === "held" ? (held?.by ?? "limit") : null;
    const isBehind = heldBy !== null && (held?.rank ?? 0) > 0;
    const key = `${state} ${heldBy} ${isBehind} ${draw} ${known !== null}`;
    const view = byReason.get(key) ?? createView(room, known, { state, heldBy, isBehind, theme, draw });
    byReason.set(key, view);
    return view;
  };
}

function createView(
  room: WaitingRoom,
  known: RoomState | null,
  own: Pick<WaitingView, "state" | "heldBy" | "isBehind" | "draw"> & { readonly theme: ThemeConfig | undefined },
): WaitingView {
  const { schedule, timeZone, admission, stock } = room.settings;
  const { opensAtMs } = schedule;
  // A time that was carried out, or passed over, opens nothing any more.
  const isToOpen = known !== null && opensAtMs !== null && opensAtMs > known.scheduleMarkMs;
  const path = `/rooms/${room.id}`;
  const coming = own.draw === "undrawn" ? known?.draws.at(-1) : undefined;
  return {
    ...own,
    room: { id: room.id, title: room.title },
    poll: pollJson,
    statusUrl: `${path}/status`,
    leaveUrl: `${path}/leave`,
    drawUrl: `${path}/draw`,
    ...(known && coming && { drawToCome: drawJson(known, coming) }),
    claimUrl: `${path}/tickets/me/claim`,
    timeZone,
    isRehearsal: room.settings.rehearsal === true,
    showsPeople: room.settings.showPeople === true,
    moves: room.moveRule,
    hasPush: room.settings.push === true,
    // The room's, whatever is known of the line.
    message: room.message,
    whileWaiting: whileWaitingOffer(room, own.theme),
    pausedReason: known?.phaseReason ?? null,
    // Also while the shop tells none: it may while the page stands.
    ...((stock?.show ?? "nothing") !== "nothing" && { stock: known && stockJson(known) }),
    serving: known?.serving ?? null,
    updatedAtMs: known && room.refreshedMs,
    pace: known && paceOf(known),
    opensAtMs: isToOpen ? opensAtMs : null,
    ...(own.state === "recovering" && { heldForMs: room.holdLeftMs }),
    ...(known && { claimWithinMs: admission.claimWithinMs }),
  };
}
