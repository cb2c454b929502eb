import type { EntryVoid, RoomSettings, RoomState } from "../../store/contract/room-store.ts";
import { participantsOf } from "../draw/draw-figures.ts";
import { isToBeDrawn, voidOf } from "../draw/entries.ts";
import { type Entrance, estimateWait, peopleAhead, type WaitEstimate } from "../line.ts";
import { pollAfterMs as pageAsksAfterMs } from "../public-status/pacing.ts";
import type { PollGuidance } from "../public-status/status.ts";
import type { RoomReplica } from "../replica/room-replica.ts";
import { isAdmissionOf, isLiveAt } from "../replica/room-replica.ts";
import { numberOf, type Ticket } from "../tickets/ticket.ts";

/**
 * What a page needs to choose its next request: clamp(floor, estimated wait ÷ divisor, ceiling) ± 30 % of jitter.
 * Near the front every 2 s, less than ten minutes away every 15 s at most, farther every 40 s, and with more than twenty minutes to go every two minutes.
 */
export const pollGuidance = {
  floor_ms: 2_000,
  /** The ceiling for a wait of less than ten minutes: with the jitter 15 s. */
  near_ceiling_ms: 11_500,
  ceiling_ms: 40_000,
  far_ceiling_ms: 120_000,
  divisor: 10,
  /** Milliseconds over which pages spread what all of them would do at one moment: when the doors open. */
  spread_ms: 10_000,
} satisfies Required<PollGuidance>;

/** Of a page that is far from its turn. */
const pollsInTurn = 4;

/** An operator may call anybody at any time, and a turn is held for several polls of the page, however far away it was. */
export function pollGuidanceOf({ admission }: Pick<RoomSettings, "admission">): typeof pollGuidance {
  const { ceiling_ms: ceilingMs, far_ceiling_ms: farCeilingMs } = pollGuidance;
  const heldMs = Math.max(ceilingMs, Math.round(admission.claimWithinMs / pollsInTurn));
  return heldMs < farCeilingMs ? { ...pollGuidance, far_ceiling_ms: heldMs } : pollGuidance;
}

/** Milliseconds until a visitor should ask again, without jitter, from the estimate if there is one, else from the people ahead. */
export function pollAfterMs(ahead: number, estimatedHighSec: number | null): number {
  return Math.round(pageAsksAfterMs(pollGuidance, ahead, estimatedHighSec === null ? null : [0, estimatedHighSec]));
}

/** `entered`: the prequeue, and until the draw is drawn, or while it is not known whether it is one's; the position is the entry number. */
export type PlaceState = "entered" | "waiting" | "served" | "admitted" | "expired";

/** The status of a visitor's place, from what this process knows; asks no store. */
export interface PlaceStatus {
  readonly state: PlaceState;
  readonly position: number;
  /** The entry number of which the position was drawn, or is to be; null where there is no draw. */
  readonly entry: number | null;
  /** How many took part in the draw of the position; null where none was drawn. */
  readonly entries: number | null;
  /** Means nothing while the place is an entry that is not drawn. */
  readonly ahead: number;
  readonly serving: number;
  readonly estimate: WaitEstimate | null;
  /** Served: milliseconds for which the turn is held yet; standing still in a pause. Null where not known, or not served. */
  readonly turnLeftMs: number | null;
  readonly pollAfterMs: number;
  /** Why the entry is void, where an operator has said so; absent: it is not. */
  readonly voided?: EntryVoid;
}

/** @param state as reported to visitors */
export function describePlace(state: RoomState, replica: RoomReplica, ticket: Ticket): PlaceStatus {
  const ahead = peopleAhead(state, ticket.position);
  const entry = entryOf(state, ticket);
  const placeState = placeStateOf(state, replica, ticket);
  const voided = placeState === "expired" ? voidOf(state, ticket) : null;
  const estimate = placeState === "waiting" ? estimateWait(state, ahead) : null;
  return {
    state: placeState,
    position: ticket.position,
    entry,
    entries: entriesOf(state, ticket),
    ahead,
    serving: state.serving,
    estimate,
    turnLeftMs: placeState === "served" ? turnLeftMs(state, replica, ticket) : null,
    pollAfterMs: nextPollMs(state, placeState === "entered" && entry !== null, ahead, estimate),
    ...(voided !== null && { voided }),
  };
}

/** @param isEntry whether the place is an undrawn entry, so that the number ahead is unknown */
function nextPollMs(state: RoomState, isEntry: boolean, ahead: number, estimate: WaitEstimate | null): number {
  // Nothing moves before the line begins or after its end.
  if (state.phase === "idle" || state.phase === "ended" || state.phaseReason === "sold_out")
    return pollGuidance.ceiling_ms;
  return isEntry ? pollForDrawMs(state) : pollAfterMs(ahead, estimate?.high ?? null);
}

/** A place of another edition is in no draw of this one. */
function entryOf(state: RoomState, ticket: Ticket): number | null {
  const { edition, position, entry = null } = ticket;
  if (edition !== state.edition || position === 0) return null;
  return entry?.number ?? (isToBeDrawn(state, position) ? position : null);
}

function entriesOf(state: RoomState, { edition, entry = null }: Ticket): number | null {
  if (entry === null || edition !== state.edition) return null;
  const draw = state.draws.find(({ id }) => id === entry.draw);
  return draw?.stage === "drawn" ? participantsOf(state, draw) : null;
}

/** Before a draw anyone may come first: all poll at the rate of the middle of the line, and faster while the draw runs. */
function pollForDrawMs(state: RoomState): number {
  const { floor_ms: floorMs, spread_ms: spreadMs } = pollGuidance;
  if (state.basePhase === "open") return floorMs + spreadMs / 2;
  return pollAfterMs(peopleAhead(state, state.serving + (state.queued - state.serving) / 2), null);
}

function placeStateOf(state: RoomState, replica: RoomReplica, ticket: Ticket): PlaceState {
  const admission = replica.admission(ticket.sub);
  if (ticket.claim !== null || (admission !== undefined && isAdmissionOf(admission, ticket))) {
    // What the store said last is newer than the ticket: admissions may be extended, or ended.
    const isLive = admission === undefined ? (ticket.claim?.expiresMs ?? 0) > state.nowMs : isLiveAt(state, admission);
    return isLive ? "admitted" : "expired";
  }
  if (ticket.position === 0 || ticket.edition < state.edition) return "expired";
  // Everybody enters, and nothing lapses.
  if (state.basePhase === "passthrough") return "served";
  if (replica.isElsewhere(ticket) || voidOf(state, ticket) !== null) return "expired";
  if (state.basePhase === "prequeue" || isToBeDrawn(state, numberOf(ticket))) return "entered";
  // It was handed out after all that is known, so a draw may have it. Where the line was open at the last sync, it is most likely behind it.
  if (replica.isAhead(ticket) && state.basePhase !== "open" && state.settings.effective.draw.order === "random")
    return "entered";
  if (ticket.position > state.serving) return "waiting";
  const { claimWithinMs } = state.settings.effective.admission;
  const hasLapsed = ticket.position <= state.expiredThrough && ticket.joinedMs + claimWithinMs < state.claimMs;
  return hasLapsed ? "expired" : "served";
}

function turnLeftMs(state: RoomState, replica: RoomReplica, ticket: Ticket): number | null {
  const servedMs = replica.advances.servedMs(ticket.position);
  if (servedMs === null) return null;
  const { claimWithinMs } = state.settings.effective.admission;
  return Math.max(0, Math.max(servedMs, ticket.joinedMs) + claimWithinMs - state.claimMs);
}

/** A `WaitingRoom`, as far as it says what a place is worth. */
interface ReportingRoom {
  readonly reportedState: RoomState | null;
  readonly reportedAvailability: string;
  readonly entrance: Entrance;
  readonly settings: RoomSettings;
  describe(ticket: Ticket, state?: RoomState): PlaceStatus | null;
}

/** The synced state, if it applies to the ticket; null if the ticket is of a newer edition. */
export function stateFor(room: Pick<ReportingRoom, "reportedState">, ticket: Ticket): RoomState | null {
  const { reportedState: state } = room;
  return state === null || ticket.edition > state.edition ? null : state;
}

/** A place as its holder sees it. `serving` is null where nothing is known of the line. */
export interface ReportedPlace extends Omit<PlaceStatus, "serving"> {
  readonly serving: number | null;
  /** Nothing is known of the line, and the ticket's number may be an entry of a draw: `ahead` says nothing. */
  readonly mayBeDrawn?: boolean;
}

/** Poll interval while this process has not synced the room. */
const unknownRetryMs = 2_000;

/**
 * From the synced state; without one, from the ticket alone: then `ahead` is an upper bound.
 *
 * @param state as of which, where other figures of it stand beside
 */
export function reportedPlace(room: ReportingRoom, ticket: Ticket, state?: RoomState): ReportedPlace {
  const described = stateFor(room, ticket) === null ? null : room.describe(ticket, state);
  // Where everybody passes, no place is needed.
  const mayPass = ticket.position === 0 && ticket.claim === null && room.entrance === "pass";
  if (described !== null) {
    // No estimate while the store is away: its return cannot be foreseen.
    const estimate = room.reportedAvailability === "away" ? null : described.estimate;
    return { ...described, estimate, ...(mayPass && described.state === "expired" && { state: "served" as const }) };
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
    turnLeftMs: null,
    pollAfterMs: unknownRetryMs,
    mayBeDrawn: !isServed && hasDraws(room),
  };
}

/** By the file alone: a room whose schedule has no prequeue draws only if an operator has put it into one by hand. */
function hasDraws({ settings: { draw, schedule } }: Pick<ReportingRoom, "settings">): boolean {
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
