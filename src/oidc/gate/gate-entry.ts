import type { Context } from "koa";
import {
  type Admission,
  claimedTicket,
  findRequest,
  heldClaim,
  isSuperseded,
  mayClaim,
  rememberRequest,
  type Ticket,
  type WaitingRoom,
  withoutOldPlace,
  withoutPlace,
} from "../../room/index.ts";
import { createGateAnswers, type GateAnswersOptions } from "./gate-answers.ts";
import { comesFromOurPage, firstSightMs, type Visit, withThisRequest } from "./gate-visit.ts";
import { seeOther } from "./see-other.ts";

/** While the store is away. */
const awayRetryMs = 2_000;

/**
 * The first claim may show that the place is over, the second that the room has a line again, and the third is that of the
 * new place; more would be a loop.
 */
const maxClaims = 3;

/** Claims a visitor's place, or answers the visitor, for logins and links alike. */
export interface GateEntry {
  /**
   * Answers the admission of a visitor who may enter now, with the visit's request recorded as a login. Null: the visitor
   * has been answered.
   */
  claim(visit: Visit): Promise<Admission | null>;
  /** Sends the visitor's cookie if it changed. */
  keepTicket(visit: Visit): void;
}

export interface GateEntryOptions extends GateAnswersOptions {
  /** Under which address a visitor's join, and a login, is counted; null: it is not. */
  readonly joinAddressOf: (ctx: Context) => string | null;
}

export function createGateEntry(options: GateEntryOptions): GateEntry {
  const { cookies, stamps, clock, joinAddressOf } = options;
  const answers = createGateAnswers(options);
  return { claim, keepTicket };

  function keepTicket({ ctx, room, newTicket, isCookieUnreadable }: Visit): void {
    if (newTicket !== null && !isCookieUnreadable) cookies.setTicket(ctx.res, room.id, room.encode(newTicket));
  }

  async function claim(visit: Visit): Promise<Admission | null> {
    const { ctx, request, room } = visit;
    const presented = room.read(cookies.readTicket(ctx.req, room.id));
    if (presented.kind === "unknown_key") {
      if (room.entrance !== "pass") return answers.offerToJoinAgain(visit, "ticket_unreadable", null);
      // Where everybody passes, so does this visitor; what cannot be read stays as it is.
      visit.isCookieUnreadable = true;
    }
    let ticket = presented.kind === "ticket" ? presented.ticket : null;

    // A ticket without a place proves nothing about the room.
    if (ticket !== null && ticket.position > 0 && room.isNews(ticket)) {
      await room.verifyAhead(ticket);
      const isUnknown = room.state !== null && ticket.edition > room.state.edition;
      if (isUnknown && room.availability === "ready") {
        return answers.offerToJoinAgain(visit, "ticket_unreadable", ticket);
      }
    }
    if (ticket === null && hasSeenOurPage(visit)) return answers.cookiesBlocked(visit);
    if (ticket === null && request.isFreshStart) return joinAndReturn(visit);
    if (ticket !== null) ticket = noteRequest(visit, withoutOldPlace(room, ticket));

    for (let claims = 0; claims < maxClaims; claims++) {
      // What this process believes of the admission does not count once the store has answered.
      if (ticket === null || claims > 0 || needsPlace(room, ticket)) {
        ticket = await givePlace(visit, ticket);
        if (ticket === null) return null;
      }
      if (!mayClaim(room, ticket)) {
        if (ticket.position === 0) return answers.later(visit, awayRetryMs);
        if (room.entrance === "closed") return answers.closed(visit, true);
        // It may have come back: where the store cannot be asked, nobody is led to give it up.
        const isElsewhere = (await room.moves.isElsewhere(ticket)) && room.availability === "ready";
        return isElsewhere ? answers.offerToJoinAgain(visit, "moved", ticket) : answers.park(visit, ticket);
      }
      const answer = await claimPlace(visit, ticket);
      if (answer !== "join_again") return answer;
      // There is a line since, and what cannot be read may be a place in it.
      if (visit.isCookieUnreadable) return answers.offerToJoinAgain(visit, "ticket_unreadable", null);
      ticket = withoutPlace(ticket);
    }
    return answers.later(visit, awayRetryMs);
  }

  /** The visitor has seen a page of this issuer, and ought to have a cookie by now: a ticket, or an arrival stamp. */
  function hasSeenOurPage(visit: Visit): boolean {
    // Where there is no line, no cookie is needed.
    if (visit.isCookieUnreadable || visit.room.entrance !== "line") return false;
    return comesFromOurPage(visit) && cookies.readStamp(visit.ctx.req, visit.room.id) === undefined;
  }

  /** Comes back at once by the plain address, so that a cookie that was not kept is noticed there. */
  async function joinAndReturn(visit: Visit): Promise<null> {
    const { ctx, request } = visit;
    if ((await givePlace(visit, null)) !== null) seeOther(ctx, request.address);
    return null;
  }

  /** Neither a place of this edition nor an admission: the visitor stands before the room. */
  function needsPlace(room: WaitingRoom, ticket: Ticket): boolean {
    return ticket.position === 0 && ticket.claim === null && !room.admissions.isKnownLive(ticket.sub);
  }

  /**
   * Signs the first sight of a request into the ticket. A request that comes from a page of this issuer was seen
   * before, and another tab's ticket has replaced the one with the time: it counts as the oldest possible.
   */
  function noteRequest(visit: Visit, ticket: Ticket): Ticket {
    const firstSeenMs = comesFromOurPage(visit) ? 0 : clock.now();
    const requests = withThisRequest(ticket.requests, visit, firstSeenMs);
    if (requests === ticket.requests) return ticket;
    visit.newTicket = { ...ticket, requests };
    return visit.newTicket;
  }

  /** A place in line, or none where none is needed. Null when there is none to be had: that has been answered. */
  async function givePlace(visit: Visit, known: Ticket | null): Promise<Ticket | null> {
    const { room } = visit;
    if (room.entrance === "line") {
      const joined = await join(visit, known);
      if (joined !== "closed") return joined;
    }
    if (room.entrance !== "pass") {
      return answers.closed(visit, false);
    }
    return keep(visit, known === null ? room.visitorWithoutPlace() : withoutPlace(known));
  }

  /** Takes the next place, or answers that there is none just now. */
  async function join(visit: Visit, known: Ticket | null): Promise<Ticket | null | "closed"> {
    const { ctx, room } = visit;
    const arrivedMs = stamps.read(room.id, cookies.readStamp(ctx.req, room.id))?.arrivedMs ?? clock.now();
    const joined = await room.join(known, arrivedMs, () => joinAddressOf(ctx));
    switch (joined.result) {
      case "joined":
        return keep(visit, joined.ticket);
      case "closed":
        return "closed";
      case "full":
        return answers.full(visit);
      case "too_many":
        return answers.tooManyFromAddress(visit, joined.retryMs);
      case "later":
        return answers.later(visit, joined.retryMs);
    }
  }

  function keep(visit: Visit, ticket: Ticket): Ticket {
    const { ctx, room } = visit;
    const stamp = cookies.readStamp(ctx.req, room.id);
    if (stamp !== undefined) cookies.clearStamp(ctx.res, room.id);
    let { requests } = ticket;
    for (const { hash, firstSeenMs, series } of stamps.read(room.id, stamp)?.requests ?? []) {
      requests = rememberRequest(requests, hash, firstSeenMs, series);
    }
    visit.newTicket = {
      ...ticket,
      requests: withThisRequest(requests, visit, firstSightMs(visit, clock.now())),
    };
    return visit.newTicket;
  }

  /** Makes one claim, and answers the visitor unless it admits, or the visitor has to join again. */
  async function claimPlace(visit: Visit, ticket: Ticket): Promise<Admission | null | "join_again"> {
    const { request, room } = visit;
    const isFresh = isYoungEnough(ticket, request) && !isOvertaken(ticket, request);
    const login = isFresh ? (request.login ?? request.hash) : null;
    const result = await room.claim(ticket, login, { address: joinAddressOf(visit.ctx) });
    // Without a place there is no waiting page to show: the visitor retries when the store is back.
    if (ticket.position === 0 && (result.result === "recovering" || result.result === "away")) {
      return answers.later(visit, result.result === "recovering" ? result.remainingMs : awayRetryMs);
    }
    const common = { ticket, retryMs: null, held: null };
    switch (result.result) {
      case "admitted": {
        const claimed = claimedTicket(room, ticket, result.admission);
        if (!isFresh) return answers.restart(visit, claimed);
        visit.newTicket = { ...claimed, restarts: 0 };
        return result.admission;
      }
      case "answered":
        if (request.isRepeatable !== true) return answers.restart(visit, ticket);
        visit.newTicket = { ...claimedTicket(room, ticket, result.admission), restarts: 0 };
        return result.admission;
      case "exhausted":
        return answers.tooManyLogins(visit);
      case "too_many_addresses":
        return answers.inUse(visit);
      case "held": {
        const state = result.by === "recovery" ? "recovering" : "held";
        return answers.waiting(visit, { ticket, state, retryMs: result.retryMs, held: heldClaim(result) });
      }
      case "recovering":
        return answers.waiting(visit, { ...common, state: "recovering", retryMs: result.remainingMs });
      case "away":
        return answers.waiting(visit, { ...common, state: "store_away" });
      case "paused":
        return answers.waiting(visit, { ...common, state: "paused" });
      case "waiting":
      case "beyond":
      case "void":
        return answers.waiting(visit, { ...common, state: "waiting" });
      case "closed":
        await room.catchUp();
        return answers.closed(visit, ticket.position > 0);
      case "no_place":
        // The room has a line since; this process syncs it now.
        await room.catchUp();
        return "join_again";
      case "expired":
        return answers.offerToJoinAgain(visit, "place_expired", ticket);
      case "left":
        return answers.offerToJoinAgain(visit, "place_left", ticket);
      case "moved":
        return answers.offerToJoinAgain(visit, "moved", ticket);
      case "newer_edition":
        return answers.offerToJoinAgain(visit, "ticket_unreadable", ticket);
      case "ended":
      case "old_edition":
        return "join_again";
    }
  }

  function isOvertaken({ requests }: Ticket, { hash, series, seenElsewhere }: Visit["request"]): boolean {
    return isSuperseded(requests, hash, series, seenElsewhere?.());
  }

  function isYoungEnough(ticket: Ticket, { hash, rememberedMs }: Visit["request"]): boolean {
    if (rememberedMs === null) return true;
    const seen = findRequest(ticket.requests, hash);
    return seen === undefined || clock.now() - seen.firstSeenMs < rememberedMs;
  }
}
