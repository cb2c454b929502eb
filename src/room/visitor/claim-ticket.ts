/** Tickets around a claim: whether a ticket may make one, why a claim was held, and the ticket after it. */
import type { Admission } from "../../store/contract/room-store.ts";
import type { Ticket } from "../tickets/ticket.ts";
import type { WaitingRoom } from "../waiting-room.ts";
import type { ClaimAnswer } from "./claims.ts";

/** Removes a place of an older edition, which is void; an admission that came of it may still be live. */
export function withoutOldPlace({ state }: WaitingRoom, ticket: Ticket): Ticket {
  if (state === null || ticket.position === 0 || ticket.edition >= state.edition) return ticket;
  return { ...ticket, edition: 0, position: 0, entry: null, joinedMs: 0 };
}

/** Whether the store has to decide. Judged by the last synced state, which is about a second old at most. */
export function mayClaim(room: WaitingRoom, ticket: Ticket): boolean {
  if (room.state === null) return false;
  if (room.availability === "away" && room.away.isLettingIn) return room.away.mayEnter(ticket);
  if (ticket.claim !== null || room.entrance === "pass" || room.replica.isKnownLive(ticket.sub)) return true;
  return ticket.position <= (room.replica.latest?.serving ?? 0) && room.state.phase === "open";
}

/** A claim that a limit held back: by which limit, and how many ready visitors enter first. */
export interface HeldClaim {
  readonly by: "limit" | "capacity";
  readonly rank: number;
}

/** Null for a claim that was not held, or was held by a recovery, for which the page has its own text. */
export function heldClaim(result: ClaimAnswer | null): HeldClaim | null {
  return result?.result === "held" && result.by !== "recovery" ? { by: result.by, rank: result.rank } : null;
}

/** The ticket of an admitted visitor. It has no place if there was none, or one of an older edition. */
export function claimedTicket({ state }: WaitingRoom, ticket: Ticket, admission: Admission): Ticket {
  const { position, edition, entry = null, admittedMs, expiresMs, via } = admission;
  const claimed = { ...ticket, position, entry, edition, claim: { admittedMs, expiresMs, via } };
  const isOld = state !== null && edition < state.edition;
  return position === 0 || isOld ? { ...claimed, edition: 0, position: 0 } : claimed;
}
