import type { Context, Middleware } from "koa";
import type { ClientConfig } from "../config/config.ts";
import type { Clock } from "../lib/clock.ts";
import {
  type ArrivalStamps,
  findRequest,
  maxRestartsInARow,
  rememberRequest,
  type Ticket,
  type WaitingRoom,
  type WaitingRooms,
  withoutPlace,
} from "../waiting-room/index.ts";
import {
  type AuthorizationRequest,
  addressOf,
  freshStart,
  maxQueryLength,
  readAuthorizationRequest,
} from "./authorization-request.ts";
import { type GateResponder, type ParkedState, refusals } from "./gate-responder.ts";
import type { LoginVerdicts } from "./login-verdicts.ts";
import { classifyRequest } from "./navigation.ts";
import type { OidcProvider } from "./provider.ts";
import { seeOther } from "./see-other.ts";
import type { VisitorCookies } from "./visitor-cookies.ts";

export interface GateOptions {
  readonly clients: readonly ClientConfig[];
  readonly rooms: WaitingRooms;
  readonly cookies: VisitorCookies;
  readonly stamps: ArrivalStamps;
  readonly verdicts: LoginVerdicts;
  readonly readIdTokenHint: OidcProvider["readIdTokenHint"];
  readonly responder: GateResponder;
  readonly clock: Clock;
}

/** One visit to the authorization endpoint, on its way through the gate. */
interface Visit {
  readonly ctx: Context;
  readonly request: AuthorizationRequest;
  readonly room: WaitingRoom;
  /** What the visitor's cookie has to become; null while it may stay as it is. */
  newTicket: Ticket | null;
}

/** A visitor who is served at once after joining again needs a second claim; more would be a loop. */
const maxClaims = 2;

/**
 * The gate stands in front of oidc-provider's authorization endpoint (GET). It parks whoever may not enter
 * yet, makes the claim for whoever may, and then lets the request through; what oidc-provider would refuse it
 * lets through too, to be answered there. Waiting visitors cost the store nothing.
 */
export function createGate(options: GateOptions): Middleware {
  const { rooms, cookies, stamps, verdicts, readIdTokenHint, responder, clock } = options;
  const clients = new Map(options.clients.map((client) => [client.clientId, client]));

  return async function gate(ctx, next) {
    if (ctx.querystring.length > maxQueryLength) {
      responder.notice(ctx, { status: 414, code: "request_too_long", room: null });
      return;
    }
    const request = readAuthorizationRequest(ctx.querystring, clients);
    const room = request === null ? undefined : rooms.get(request.client.room);
    if (request === null || room === undefined) return next();

    const kind = classifyRequest(ctx.req);
    if (!request.isSilent && kind !== "navigation") return responder.notice(ctx, { ...refusals[kind], room });
    if (request.idTokenHint !== null && !(await namesTheVisitor(ctx, room, request))) return next();

    const visit: Visit = { ctx, request, room, newTicket: null };
    if (request.isSilent) {
      if (kind !== "head" && kind !== "prefetch") await claimSilently(visit);
      keepTicket(visit);
      return next();
    }
    const mayPass = await admit(visit);
    keepTicket(visit);
    return mayPass ? next() : undefined;
  };

  /**
   * Whoever is not the visitor that the relying party expects must get an error in the end (OpenID Connect Core
   * 3.1.2.1, id_token_hint), so they get it before the wait. Silent requests are answered at once in any case.
   */
  async function namesTheVisitor(ctx: Context, room: WaitingRoom, request: AuthorizationRequest): Promise<boolean> {
    const sub = await readIdTokenHint(request.idTokenHint ?? "", request.client.clientId);
    if (sub === null || request.isSilent) return sub !== null;
    const presented = room.read(cookies.readTicket(ctx.req, room.id));
    return presented.kind === "ticket" && presented.ticket.sub === sub;
  }

  function keepTicket({ ctx, room, newTicket }: Visit): void {
    if (newTicket !== null) cookies.setTicket(ctx.res, room.id, room.encode(newTicket));
  }

  /** Whether oidc-provider shall now answer the request with a code. Otherwise it has been answered. */
  async function admit(visit: Visit): Promise<boolean> {
    const { ctx, request, room } = visit;
    const presented = room.read(cookies.readTicket(ctx.req, room.id));
    if (presented.kind === "unknown_key") return offerToJoinAgain(visit, "ticket_unreadable", null);
    let ticket = presented.kind === "ticket" ? presented.ticket : null;

    // A ticket without a place proves nothing about the room.
    if (ticket !== null && ticket.position > 0 && room.isAhead(ticket)) {
      await room.verifyAhead(ticket);
      const isUnknown = room.state !== null && ticket.edition > room.state.edition;
      if (isUnknown && room.availability === "ready") return offerToJoinAgain(visit, "ticket_unreadable", ticket);
    }
    if (ticket === null && hasSeenOurPage(visit)) {
      const returnTo = freshStart(addressOf(request));
      responder.notice(ctx, { status: 400, code: "cookies_blocked", room, returnTo });
      return false;
    }
    if (ticket === null && request.isFreshStart) return joinAndReturn(visit);
    if (ticket !== null) ticket = noteRequest(visit, ticket);

    for (let claims = 0; claims < maxClaims; claims++) {
      if (ticket === null || ticket.position === 0 || isOfOldEdition(room, ticket)) {
        ticket = await join(visit, ticket);
        if (ticket === null) return false;
      }
      if (!mayAsk(room, ticket)) return park(visit, ticket);
      const answer = await claim(visit, ticket);
      if (answer !== "join_again") return answer;
      ticket = withoutPlace(ticket);
    }
    return offerToJoinAgain(visit, "place_expired", ticket);
  }

  /** A page of ours was seen, and the visitor ought to have a cookie by now: a ticket, or an arrival stamp. */
  function hasSeenOurPage(visit: Visit): boolean {
    return comesFromOurPage(visit) && cookies.readStamp(visit.ctx.req, visit.room.id) === undefined;
  }

  /** Comes back at once by the plain address, so that a cookie that was not kept is noticed there. */
  async function joinAndReturn(visit: Visit): Promise<false> {
    const { ctx, request } = visit;
    if ((await join(visit, null)) !== null) seeOther(ctx, addressOf(request));
    return false;
  }

  function isOfOldEdition(room: WaitingRoom, ticket: Ticket): boolean {
    return room.state !== null && ticket.edition < room.state.edition;
  }

  /** Whether the store has to be asked. The last thing heard decides; a second later it will know more. */
  function mayAsk(room: WaitingRoom, ticket: Ticket): boolean {
    if (room.state === null) return false;
    return ticket.claim !== null || (ticket.position <= room.state.serving && room.state.phase === "open");
  }

  function park(visit: Visit, ticket: Ticket): false {
    const { room } = visit;
    if (room.availability === "away") return showPage(visit, ticket, "store_away");
    if (room.availability === "recovering" || room.isHeld) return showPage(visit, ticket, "recovering");
    return showPage(visit, ticket, room.state?.phase === "paused" ? "paused" : "waiting");
  }

  /** The waiting page, and with it the visitor's cookie if it changed. */
  function showPage(visit: Visit, ticket: Ticket, state: ParkedState, retryMs: number | null = null): false {
    const { ctx, room, newTicket } = visit;
    const cookie = newTicket === null ? null : cookies.ticketCookie(room.id, room.encode(newTicket));
    visit.newTicket = null;
    responder.parked(ctx, room, { ticket, state, retryMs, cookie });
    return false;
  }

  /** @param ticket whose place would be given up; null for one that cannot be read. */
  function offerToJoinAgain(
    { ctx, request, room }: Visit,
    code: "ticket_unreadable" | "place_expired" | "place_left",
    ticket: Ticket | null,
  ): false {
    const returnTo = freshStart(addressOf(request));
    responder.notice(ctx, { status: 200, code, room, returnTo, place: ticket });
    return false;
  }

  /**
   * Signs the first sight of an authorization request into the ticket. One that comes from a page of ours was
   * seen before, and another tab's ticket took the place of the one that knew when: it is as old as can be.
   */
  function noteRequest(visit: Visit, ticket: Ticket): Ticket {
    const firstSeenMs = comesFromOurPage(visit) ? 0 : clock.now();
    const requests = rememberRequest(ticket.requests, visit.request.hash, firstSeenMs);
    if (requests === ticket.requests) return ticket;
    visit.newTicket = { ...ticket, requests };
    return visit.newTicket;
  }

  /** Takes the next place, or answers that there is none just now. */
  async function join(visit: Visit, known: Ticket | null): Promise<Ticket | null> {
    const { ctx, request, room } = visit;
    const nowMs = clock.now();
    const stampToken = cookies.readStamp(ctx.req, room.id);
    const stamp = stamps.read(room.id, stampToken);
    const arrivedMs = stamp?.arrivedMs ?? nowMs;
    const joined = await room.join(known, arrivedMs);
    if (joined.result === "later") {
      if (stamp === undefined) cookies.setStamp(ctx.res, room.id, stamps.issue({ room: room.id, arrivedMs }));
      responder.notice(ctx, { status: 503, code: "hold_on", room, retryMs: joined.retryMs });
      return null;
    }
    if (stampToken !== undefined) cookies.clearStamp(ctx.res, room.id);
    const requests = rememberRequest(joined.ticket.requests, request.hash, nowMs);
    visit.newTicket = { ...joined.ticket, requests };
    return visit.newTicket;
  }

  /** Asks to enter, and answers unless oidc-provider shall, or the visitor has to join again. */
  async function claim(visit: Visit, ticket: Ticket): Promise<boolean | "join_again"> {
    const { ctx, request, room } = visit;
    const isFresh = isYoungEnough(ticket, request);
    const result = await room.enter(ticket, isFresh ? request.hash : null);
    switch (result.result) {
      case "admitted": {
        const { admittedMs, expiresMs, position } = result.admission;
        const claimed = { ...ticket, position, claim: { admittedMs, expiresMs } };
        if (!isFresh) return restart(visit, claimed);
        verdicts.set(ctx.req, { room: room.id, sub: ticket.sub, login: request.hash });
        visit.newTicket = { ...claimed, restarts: 0 };
        return true;
      }
      case "answered":
        return restart(visit, ticket);
      case "exhausted":
        responder.notice(ctx, { status: 429, code: "too_many_logins", room });
        return false;
      case "held":
        return showPage(visit, ticket, room.isHeld ? "recovering" : "held", result.retryMs);
      case "recovering":
        return showPage(visit, ticket, "recovering", result.remainingMs);
      case "away":
        return showPage(visit, ticket, "store_away");
      case "paused":
        return showPage(visit, ticket, "paused");
      case "waiting":
      case "beyond":
        return showPage(visit, ticket, "waiting");
      case "expired":
        return offerToJoinAgain(visit, "place_expired", ticket);
      case "left":
        return offerToJoinAgain(visit, "place_left", ticket);
      case "newer_edition":
        return offerToJoinAgain(visit, "ticket_unreadable", ticket);
      case "ended":
      case "old_edition":
        return "join_again";
    }
  }

  function isYoungEnough(ticket: Ticket, request: AuthorizationRequest): boolean {
    const seen = findRequest(ticket.requests, request.hash);
    return seen === undefined || clock.now() - seen.firstSeenMs < request.client.loginTimeoutMs;
  }

  /**
   * The relying party has forgotten this request, or it was answered before: a fresh one is started there, and
   * the place stays. The address is used verbatim.
   */
  function restart(visit: Visit, ticket: Ticket): false {
    const { ctx, request, room } = visit;
    const { initiateLoginUri } = request.client;
    const isTooOften = ticket.restarts >= maxRestartsInARow;
    visit.newTicket = { ...ticket, restarts: isTooOften ? 0 : ticket.restarts + 1 };
    if (isTooOften) {
      responder.notice(ctx, { status: 200, code: "too_many_restarts", room, restartUri: initiateLoginUri });
      return false;
    }
    seeOther(ctx, initiateLoginUri);
    return false;
  }

  /** `prompt=none` never joins and never sees a page; who may enter, enters. */
  async function claimSilently(visit: Visit): Promise<void> {
    const { ctx, request, room } = visit;
    const presented = room.read(cookies.readTicket(ctx.req, room.id));
    if (presented.kind !== "ticket" || !mayAsk(room, presented.ticket)) return;
    const { ticket } = presented;
    const result = await room.enter(ticket, request.hash);
    if (result.result !== "admitted") return;
    const { admittedMs, expiresMs, position } = result.admission;
    verdicts.set(ctx.req, { room: room.id, sub: ticket.sub, login: request.hash });
    visit.newTicket = { ...ticket, position, claim: { admittedMs, expiresMs }, restarts: 0 };
  }
}

/** Browsers name the page's origin, whether its script or its link was used. */
function comesFromOurPage({ ctx, request }: Visit): boolean {
  return !request.isFreshStart && ctx.get("Sec-Fetch-Site") === "same-origin";
}
