import type { z } from "zod";
import type { EntryVoid, PlaceStatus, RoomState, Ticket, WaitingRoom } from "../../room/index.ts";
import type { placeAnswer } from "./answers.ts";

/** What is known of the room, as far as it says anything about a ticket: an older edition says nothing. */
export function knownStateFor(room: WaitingRoom, ticket: Ticket): RoomState | null {
  const { reportedState: state } = room;
  return state === null || ticket.edition > state.edition ? null : state;
}

/** A place as its holder sees it. `serving` is null where nothing is known of the line. */
export interface ReportedPlace extends Omit<PlaceStatus, "serving"> {
  readonly serving: number | null;
  /** Nothing is known of the line, and the ticket's number may be an entry of a draw: `ahead` says nothing. */
  readonly mayBeDrawn?: boolean;
}

/** Milliseconds until somebody asks again whose line nothing is known of. */
const unknownRetryMs = 2_000;

/**
 * From what this process knows; from the ticket alone where it knows nothing: then `ahead` is what it is at most.
 *
 * @param state as of which, where other figures of it stand beside
 */
export function reportedPlace(room: WaitingRoom, ticket: Ticket, state?: RoomState): ReportedPlace {
  const known = knownStateFor(room, ticket) === null ? null : room.describe(ticket, state);
  // Where everybody passes, no place is needed.
  const mayPass = ticket.position === 0 && ticket.claim === null && room.entrance === "pass";
  if (known !== null) {
    // Nobody knows when the store is back.
    const estimate = room.reportedAvailability === "away" ? null : known.estimate;
    return { ...known, estimate, ...(mayPass && known.state === "expired" && { state: "served" as const }) };
  }
  const isServed = ticket.claim !== null;
  return {
    state: isServed ? "served" : "waiting",
    position: ticket.position,
    entry: ticket.entry?.number ?? null,
    entries: null,
    ahead: isServed ? 0 : ticket.position - 1,
    serving: null,
    estimate: null,
    heldForMs: null,
    pollAfterMs: unknownRetryMs,
    mayBeDrawn: !isServed && hasDraws(room),
  };
}

/** By the file alone: a room whose schedule has no prequeue draws only if an operator has put it into one by hand. */
function hasDraws({ settings: { draw, schedule } }: WaitingRoom): boolean {
  return draw?.order === "random" && schedule.prequeueAtMs !== null;
}

/**
 * Whether a page shows an entry number or a place that was drawn; null for neither. What may be an entry is shown as one: its page
 * finds out what it is as soon as there is an answer.
 */
export function drawOf({ state, entry, mayBeDrawn = false }: ReportedPlace): "undrawn" | "drawn" | null {
  if (entry === null) return mayBeDrawn ? "undrawn" : null;
  return state === "entered" ? "undrawn" : "drawn";
}

/** A place on the wire. */
export function placeStatusJson(place: ReportedPlace, retryMs: number | null = null): z.output<typeof placeAnswer> {
  return {
    state: place.state,
    // As in tokens: null where there is none.
    position: place.position === 0 || place.voided !== undefined ? null : place.position,
    // The entry number, where the position was drawn of it, or is to be.
    entry: place.entry,
    entries: place.entries,
    // Of an entry that is not drawn nothing can be said.
    ahead: place.mayBeDrawn || (place.state === "entered" && place.entry !== null) ? null : place.ahead,
    serving: place.serving,
    estimated_wait_seconds: place.estimate,
    // Served: how long the turn is held yet; null where that is not known, or it is not their turn.
    held_for_seconds: place.heldForMs === null ? null : Math.floor(place.heldForMs / 1_000),
    poll_after_ms: retryMs ?? place.pollAfterMs,
    ...(place.voided !== undefined && { voided: voidMembers(place.voided) }),
  };
}

/** What the holder of an entry that is void is told: why, and the reference to ask the organiser by. */
export function voidMembers({ reference, reason }: Pick<EntryVoid, "reference" | "reason">) {
  return { reference, reason };
}
