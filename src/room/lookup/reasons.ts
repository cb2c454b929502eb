/** Why it stands with a visitor as it does: from the state that pages are made of, and by the same rules. */
import type { Admission, AdmissionProof, HoldReason, RoomState } from "../../store/contract/room-store.ts";
import { waitForReadySec } from "../line.ts";
import { isAdmissionOf } from "../replica/room-replica.ts";
import type { Ticket } from "../tickets/ticket.ts";
import type { PlaceStatus } from "../visitor/place-status.ts";
import type { WaitingRoom } from "../waiting-room.ts";
import { type Reason, type VisitorState, waitOf } from "./finding.ts";

export interface Judged {
  readonly state: VisitorState;
  readonly reason: Reason;
}

/** A shorter wait at the door is the usual one. */
const usualWaitSec = 5;

/** What is known of a place, for `judge`. */
export interface VisitorFacts {
  readonly room: WaitingRoom;
  /** As reported to visitors. */
  readonly state: RoomState;
  /** With the position as this process knows it. */
  readonly ticket: Ticket;
  readonly place: PlaceStatus;
  /** The visitor's admission, if any is on record. */
  readonly admission: Admission | null;
  /** When what holds the room has begun to, as far as its log says; asked for only where the room is held. */
  readonly pausedSinceMs: () => Promise<number | null>;
}

export async function judge(facts: VisitorFacts): Promise<Judged> {
  const { room, state, ticket, place } = facts;
  const of = (reason: Reason, to: VisitorState = place.state): Judged => ({ state: to, reason });
  const entered = judgeAdmission(facts);
  if (entered !== null) return entered;
  if (ticket.position === 0) return judgeWithoutPlace(facts);
  if (ticket.edition < state.edition)
    return of({ code: "reset", ticketEdition: ticket.edition, edition: state.edition });
  if (state.basePhase === "passthrough") return of({ code: "everybody_passes" });
  if (room.replica.isElsewhere(ticket)) {
    return of({ code: "moved", movedAtMs: room.replica.moveOf(ticket)?.movedMs ?? null }, "moved");
  }
  if (place.voided !== undefined) {
    const { reference, reason: because, atMs: voidedAtMs } = place.voided;
    return of({ code: "entry_voided", reference, because, voidedAtMs });
  }
  if (place.state === "expired") {
    const claimWithinSec = Math.round(state.settings.effective.admission.claimWithinMs / 1_000);
    return of({ code: "claim_expired", expiredAtMs: expiredAtMs(facts), claimWithinSec });
  }
  return of(await whyNotInYet(facts));
}

/** Null where the place was not exchanged for an admission, as far as is known. */
function judgeAdmission({ state, ticket, place, admission }: VisitorFacts): Judged | null {
  const { loginsPerAdmission: loginsMax } = state.settings.effective.admission;
  const isTickets = ticket.claim !== null || (admission !== null && isAdmissionOf(admission, ticket));
  const entered: (AdmissionProof & Partial<Admission>) | null = isTickets ? (admission ?? ticket.claim) : null;
  if (entered === null) return null;
  const { via, admittedMs: admittedAtMs, expiresMs: expiresAtMs } = entered;
  if (place.state === "admitted") {
    const logins = entered.logins?.length ?? null;
    const code = logins !== null && logins >= loginsMax ? "logins_used_up" : "admitted";
    return { state: "admitted", reason: { code, via, admittedAtMs, expiresAtMs, logins, loginsMax } };
  }
  const end = entered.ended ?? "expired";
  const reason: Reason = { code: "admission_ended", end, via, admittedAtMs, expiresAtMs };
  return { state: end === "logout" ? "left" : "expired", reason };
}

function judgeWithoutPlace({ room, ticket }: VisitorFacts): Judged {
  if (room.entrance === "pass") return { state: "served", reason: { code: "everybody_passes" } };
  // A place that is given up leaves its edition in the ticket.
  if (ticket.edition > 0) return { state: "left", reason: { code: "left" } };
  return { state: "unknown", reason: { code: "no_place" } };
}

/** Of a place that may enter yet. */
async function whyNotInYet({ room, state, place, pausedSinceMs }: VisitorFacts): Promise<Reason> {
  const { opensAtMs } = state.settings.effective.schedule;
  if (state.basePhase === "ended" || state.phase === "ended") return { code: "room_ended" };
  if (room.availability === "away") return { code: "store_away" };
  if (room.availability === "recovering") return { code: "recovering" };
  if (state.phase === "paused") return { code: "paused", by: holdOf(state), sinceMs: await pausedSinceMs() };
  if (state.basePhase === "idle") return { code: "not_open", opensAtMs };
  if (place.state === "entered") return { code: place.entry === null ? "not_open" : "draw_to_come", opensAtMs };
  if (room.isOnHold) return { code: "held_after_loss", waitSec: Math.ceil(state.holdRemainingMs / 1_000) };
  if (place.state === "waiting") return { code: "in_line", ahead: place.ahead, ...waitOf(place.estimate) };
  return whyNotInOnItsTurn(state, place);
}

/** The store alone decides on a claim; this says what it goes by. */
function whyNotInOnItsTurn(state: RoomState, place: PlaceStatus): Reason {
  const { maxActive } = state.settings.effective.inlet;
  const reservedForSec = place.turnLeftMs === null ? null : Math.floor(place.turnLeftMs / 1_000);
  const { liveAdmissions: live, readyToEnter, planLimitPerMinute: limitPerMinute } = state;
  if (maxActive !== null && live >= maxActive) return { code: "held_by_capacity", live, maxActive, reservedForSec };
  const waitSec = Math.ceil(waitForReadySec(state));
  if (limitPerMinute !== null && waitSec >= usualWaitSec) {
    return { code: "held_by_limit", ready: Math.ceil(readyToEnter), limitPerMinute, waitSec, reservedForSec };
  }
  return { code: "turn", reservedForSec };
}

/** To visitors a site that says that it has too much to do is `unhealthy`; operators are told which it is. */
function holdOf({ holds, phaseReason }: RoomState): HoldReason {
  if (phaseReason === "unhealthy" && !holds.includes("unhealthy")) return "signal";
  return phaseReason ?? "operator";
}

/** When the place could be claimed no more; now (ms), if the room was not paused since. Null where this process cannot say. */
export function expiredAtMs({ room, state, ticket }: Pick<VisitorFacts, "room" | "state" | "ticket">): number | null {
  const servedMs = room.replica.advances.servedMs(ticket.position);
  if (servedMs === null || ticket.edition !== state.edition) return null;
  return toWallMs(state, Math.max(servedMs, ticket.joinedMs) + state.settings.effective.admission.claimWithinMs);
}

/** A time of the claim clock as one of the wall clock, as if nothing had held the room since. */
export function toWallMs({ nowMs, claimMs }: RoomState, atMs: number): number {
  return nowMs - (claimMs - atMs);
}
