/**
 * The visitor's ticket of a room, as the browser's cookies have it. Pages that a browser opens at one moment join each on its own, since none of
 * their requests has a cookie yet, and the last answer's ticket replaces the others. So a new place stands in a cookie of its own, too, for some
 * minutes: of several places the earliest counts, and the others are given back. A place is worth nothing here that this browser was not given.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { numberOf, rememberRequest, type Ticket, type WaitingRoom } from "../../room/index.ts";
import { ticketMaxAgeSec } from "./ticket-lifetime.ts";
import type { VisitorCookies } from "./visitor-cookies.ts";

export type TicketCookies = Pick<VisitorCookies, "ticket" | "spare" | "sparesIn" | "ofRooms">;
type Presented = ReturnType<WaitingRoom["read"]>;
type Exchange = { readonly req: IncomingMessage; readonly res: ServerResponse };

export interface BrowserTickets {
  /** The ticket that counts. */
  readonly presented: Presented;
  /** Of the browser's other places in the room. */
  readonly surplus: readonly Ticket[];
}

/** With how many cookies of rooms a browser keeps a new place twice. */
const cookiesBesideSpare = 14;

/** What a browser presents for a room. Asks no store. */
export function readTickets(cookies: TicketCookies, room: WaitingRoom, request: IncomingMessage): BrowserTickets {
  const presented = room.read(cookies.ticket(room.id).read(request));
  if (presented.kind !== "ticket" || presented.ticket.position === 0) return { presented, surplus: [] };
  const { ticket } = presented;
  const spares = cookies.sparesIn(request, room.id).filter(({ name }) => name !== nameOf(ticket));
  // The place of a key is one in all browsers.
  if (spares.length === 0 || room.isByKey) return { presented, surplus: [] };
  const others = spares.flatMap(({ name, value }) => {
    const spare = room.read(value);
    // Under another name it may be the very place that counts. That of another key would be of no use to this visitor.
    const isOther = spare.kind === "ticket" && nameOf(spare.ticket) === name && spare.ticket.device === ticket.device;
    return isOther ? [spare.ticket] : [];
  });
  const earliest = ticket.claim === null ? earliestOf(room, [ticket, ...others]) : ticket;
  return {
    presented: earliest === ticket ? presented : { kind: "ticket", ticket: withRequestsOf(earliest, ticket) },
    surplus: [ticket, ...others].filter((each) => each !== earliest),
  };
}

/** The ticket that counts. Asks no store. */
export function readTicket(cookies: TicketCookies, room: WaitingRoom, request: IncomingMessage): Presented {
  return readTickets(cookies, room, request).presented;
}

/**
 * By the numbers that the joins gave, and not by what a draw made of them: nobody keeps the best of several entries. A place in line that has
 * expired does not stand in the way of one that still counts.
 */
function earliestOf(room: WaitingRoom, tickets: readonly [Ticket, ...Ticket[]]): Ticket {
  const counting = tickets.filter((each) => each.entry != null || room.describe(each)?.state !== "expired");
  const [first, ...others] = counting.length > 0 ? counting : tickets;
  return others.reduce<Ticket>((best, each) => (isEarlier(each, best) ? each : best), first ?? tickets[0]);
}

function isEarlier(one: Ticket, other: Ticket): boolean {
  return one.edition === other.edition ? numberOf(one) < numberOf(other) : one.edition > other.edition;
}

/** All that the browser's pages came with. */
function withRequestsOf(ticket: Ticket, { requests, restarts }: Ticket): Ticket {
  const all = requests.reduce(
    (known, { hash, firstSeenMs, series }) => rememberRequest(known, hash, firstSeenMs, series),
    ticket.requests,
  );
  return { ...ticket, requests: all, restarts };
}

/** Names the cookie of a place. */
export function nameOf(ticket: Ticket): string {
  return `${ticket.edition.toString(36)}-${numberOf(ticket).toString(36)}`;
}

/** The `Set-Cookie` headers that `keepTicket` adds. */
export function ticketHeaders(cookies: TicketCookies, room: WaitingRoom, ticket: Ticket, hasSpare: boolean): string[] {
  const text = room.encode(ticket);
  const header = cookies.ticket(room.id).header(text, ticketMaxAgeSec(room));
  return hasSpare ? [header, cookies.spare(room.id, nameOf(ticket)).header(text)] : [header];
}

/** @param hasSpare the place was given just now, and stands in a cookie of its own, too */
export function keepTicket(
  cookies: TicketCookies,
  room: WaitingRoom,
  response: ServerResponse,
  ticket: Ticket,
  hasSpare = false,
): void {
  const text = room.encode(ticket);
  cookies.ticket(room.id).set(response, text, ticketMaxAgeSec(room));
  if (hasSpare) cookies.spare(room.id, nameOf(ticket)).set(response, text);
}

/** Whether a place that is given now is kept in a cookie of its own, too. Those of earlier ones count no more. */
export function takesSpare(cookies: TicketCookies, room: WaitingRoom, { req, res }: Exchange): boolean {
  forgetSpares(cookies, room, { req, res });
  // Where the browser has many cookies, the last answer counts.
  return !room.isByKey && cookies.ofRooms(req).length <= cookiesBesideSpare;
}

/** What the browser had of earlier places counts no more. */
export function forgetSpares(cookies: TicketCookies, room: WaitingRoom, { req, res }: Exchange): void {
  for (const { name } of cookies.sparesIn(req, room.id)) cookies.spare(room.id, name).clear(res);
}
