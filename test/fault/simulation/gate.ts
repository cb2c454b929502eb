/** What src/oidc/gate/gate.ts does with a visit to `/authorize`, without the HTTP around it. */

import { isInterruption } from "../../../src/room/replica/synced-room.ts";
import { type Ticket, withoutPlace } from "../../../src/room/tickets/ticket.ts";
import { claimedTicket, mayClaim, withoutOldPlace } from "../../../src/room/visitor/claims.ts";
import type { WaitingRoom } from "../../../src/room/waiting-room.ts";

/** The page that answers a visit. */
export type Answer =
  | { kind: "entered"; ticket: Ticket }
  | { kind: "parked"; state: "waiting" | "paused" | "recovering" | "store_away"; ticket: Ticket }
  | { kind: "held"; retryMs: number; ticket: Ticket; by: "recovery" | "limit" | "capacity"; rank: number }
  /** No place just now; the visitor keeps an arrival stamp. */
  | { kind: "hold_on"; retryMs: number }
  | { kind: "turned_away"; reason: string }
  | { kind: "notice"; code: "expired" | "left" | "moved" | "unreadable"; ticket: Ticket };

export interface Visit {
  readonly room: WaitingRoom;
  readonly ticket: Ticket | null;
  /** Names the authorization request. */
  readonly login: string | null;
  /** When the visitor came first, by the clock of a process. */
  readonly arrivedMs: number;
  /** Told of places that are taken to be over though the visitor was not told so: they join again at once. */
  readonly onPlaceOver: (ticket: Ticket, why: "ended" | "old_edition") => void;
}

const maxClaims = 3;
const awayRetryMs = 2_000;
const closed: Answer = { kind: "turned_away", reason: "closed" };

/** @throws StoreUnavailableError nowhere: the gate answers with a page. */
export async function visitGate(visit: Visit): Promise<Answer> {
  const { room, onPlaceOver } = visit;
  let { ticket } = visit;
  if (ticket !== null && ticket.position > 0 && room.isNews(ticket)) {
    await room.verifyAhead(ticket);
    const isUnknown = room.state !== null && ticket.edition > room.state.edition;
    if (isUnknown && room.availability === "ready") return { kind: "notice", code: "unreadable", ticket };
  }
  if (ticket !== null && ticket.position > 0 && withoutOldPlace(room, ticket) !== ticket) {
    onPlaceOver(ticket, "old_edition");
    ticket = withoutOldPlace(room, ticket);
  }
  for (let claims = 0; claims < maxClaims; claims++) {
    // What this process believes of the admission does not count once the store has answered.
    if (ticket === null || claims > 0 || needsPlace(room, ticket)) {
      const given = await givePlace(visit, ticket);
      if ("kind" in given) return given;
      ticket = given;
    }
    if (!mayClaim(room, ticket)) {
      if (ticket.position === 0) return { kind: "hold_on", retryMs: awayRetryMs };
      if (room.entrance === "closed") return closed;
      const isElsewhere = (await room.confirmMoved(ticket)) && room.availability === "ready";
      return isElsewhere ? { kind: "notice", code: "moved", ticket } : park(room, ticket);
    }
    const answer = await claim(visit, ticket);
    if (answer === "ended" || answer === "old_edition") onPlaceOver(ticket, answer);
    else if (answer !== "no_place") return answer;
    ticket = withoutPlace(ticket);
  }
  return { kind: "hold_on", retryMs: awayRetryMs };
}

/** A place in line; or a ticket without one, where everybody passes. */
async function givePlace({ room, arrivedMs }: Visit, known: Ticket | null): Promise<Ticket | Answer> {
  if (room.entrance === "line") {
    const joined = await room.join(known === null ? null : withoutPlace(known), arrivedMs);
    if (joined.result === "joined") return joined.ticket;
    if (joined.result === "later") return { kind: "hold_on", retryMs: joined.retryMs };
    if (joined.result === "too_many") return { kind: "hold_on", retryMs: joined.retryMs };
    if (joined.result === "full") return { kind: "turned_away", reason: "full" };
  }
  if (room.entrance !== "pass") return closed;
  return known === null ? room.visitorWithoutPlace() : withoutPlace(known);
}

function needsPlace(room: WaitingRoom, ticket: Ticket): boolean {
  return ticket.position === 0 && ticket.claim === null && !room.admissions.isCachedLive(ticket.sub);
}

function park(room: WaitingRoom, ticket: Ticket): Answer {
  if (room.availability === "away") return { kind: "parked", state: "store_away", ticket };
  if (room.availability === "recovering" || room.isOnHold) return { kind: "parked", state: "recovering", ticket };
  return { kind: "parked", state: room.state?.phase === "paused" ? "paused" : "waiting", ticket };
}

async function claim({ room, login }: Visit, ticket: Ticket): Promise<Answer | "ended" | "old_edition" | "no_place"> {
  const result = await room.claim(ticket, login);
  if (ticket.position === 0 && (result.result === "recovering" || result.result === "away")) {
    return { kind: "hold_on", retryMs: awayRetryMs };
  }
  switch (result.result) {
    case "admitted":
    case "answered":
      return { kind: "entered", ticket: claimedTicket(room, ticket, result.admission) };
    case "let_in":
      throw new Error("no room of the simulation lets visitors in without the store");
    case "held":
      return { kind: "held", retryMs: result.retryMs, ticket, by: result.by, rank: result.rank };
    case "recovering":
      return { kind: "parked", state: "recovering", ticket };
    case "away":
      return { kind: "parked", state: "store_away", ticket };
    case "paused":
      return { kind: "parked", state: "paused", ticket };
    case "waiting":
    case "beyond":
    case "void":
      return { kind: "parked", state: "waiting", ticket };
    case "expired":
      return { kind: "notice", code: "expired", ticket };
    case "left":
      return { kind: "notice", code: "left", ticket };
    case "voided":
      return { kind: "turned_away", reason: "voided" };
    case "moved":
      return { kind: "notice", code: "moved", ticket };
    case "newer_edition":
      return { kind: "notice", code: "unreadable", ticket };
    case "ended":
    case "old_edition":
      return result.result;
    case "closed":
    case "no_place":
      // The phase is another since; this process hears of it now.
      await room.catchUp();
      return result.result === "closed" ? closed : "no_place";
    case "exhausted":
    case "too_many_addresses":
      return { kind: "turned_away", reason: "exhausted" };
  }
}

/** Does something that a visitor or the site asks for; answers whether the store could be reached. */
export async function tryTo(act: () => Promise<unknown>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    if (!isInterruption(error)) throw error;
    return false;
  }
}
