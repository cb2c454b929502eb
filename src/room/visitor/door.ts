/** A visitor at the door: what a ticket lets them ask of the store, and what it is when they are in. */
import type { Admission } from "../../store/contract/room-store.ts";
import type { Ticket } from "../tickets/ticket.ts";
import type { EnterResult, WaitingRoom } from "../waiting-room.ts";

/** A place of an older edition is void; an admission that came of it may be live yet. */
export function withoutOldPlace(room: WaitingRoom, ticket: Ticket): Ticket {
  if (room.state === null || ticket.position === 0 || ticket.edition >= room.state.edition) return ticket;
  return { ...ticket, edition: 0, position: 0, entry: null, joinedMs: 0 };
}

/** Whether the store has to be asked. The last thing heard decides; a second later it will know more. */
export function mayAsk(room: WaitingRoom, ticket: Ticket): boolean {
  if (room.state === null) return false;
  if (ticket.claim !== null || room.entrance === "pass" || room.admissions.isKnownLive(ticket.sub)) return true;
  return ticket.position <= room.serving && room.state.phase === "open";
}

/** What keeps a served visitor at the door, and how many others there go in first. */
export interface AtTheDoor {
  readonly by: "limit" | "capacity";
  readonly rank: number;
}

/** Null for whoever is not held, or by a recovery, which the page tells in words of its own. */
export function atTheDoor(result: EnterResult | null): AtTheDoor | null {
  return result?.result === "held" && result.by !== "recovery" ? { by: result.by, rank: result.rank } : null;
}

/** The ticket of a visitor who is in. Where there was no place, or one of an older edition, none is left in it. */
export function claimedTicket(room: WaitingRoom, ticket: Ticket, admission: Admission): Ticket {
  const { position, edition, admittedMs, expiresMs, via } = admission;
  const claimed = {
    ...ticket,
    position,
    entry: admission.entry ?? null,
    edition,
    claim: { admittedMs, expiresMs, via },
  };
  const isOld = room.state !== null && edition < room.state.edition;
  return position === 0 || isOld ? { ...claimed, edition: 0, position: 0 } : claimed;
}
