import type { Context } from "koa";
import { comesFromPageOf } from "../../lib/request.ts";
import {
  type Admission,
  type AwayAdmission,
  claimedTicket,
  findRequest,
  heldClaim,
  isSuperseded,
  mayClaim,
  rememberRequest,
  type SeenRequest,
  type Ticket,
  type WaitingRoom,
  withoutOldPlace,
  withoutPlace,
} from "../../room/index.ts";
import type { OidcParts } from "../parts.ts";
import { type AnswerParts, createGateAnswers, firstSightMs, type Visit } from "./answers.ts";
import { type EntryRequest, withRequest } from "./authorization-request.ts";
import { seeOther } from "./navigation.ts";
import { createSurplus } from "./surplus.ts";
import { forgetSpares, keepTicket, readTickets, takesSpare } from "./visitor-cookies.ts";

/** Milliseconds until a retry while the store is away, and for a full line. */
const awayRetryMs = 2_000;
const fullRetryMs = 30_000;

/**
 * The first claim may show that the place is over, the second that the room has a line again, and the third is that of the
 * new place; more would be a loop.
 */
const maxClaims = 3;

/** What the visitor's tickets of other rooms remember, asked for at a claim. */
type SeenElsewhere = () => readonly SeenRequest[];

export type GateEntry = ReturnType<typeof createGateEntry>;

/** Claims a visitor's place, or answers the visitor, for logins and links alike. */
export function createGateEntry(
  parts: AnswerParts &
    Pick<OidcParts, "issuer" | "join" | "joinAddressOf" | "keyedEntries" | "identities" | "devices" | "cookieBound">,
) {
  const { issuer, cookies, cookieBound, stamps, clock, join, joinAddressOf, keyedEntries, identities, devices } = parts;
  const answers = createGateAnswers(parts);
  const refund = createSurplus(cookies);

  return {
    /**
     * Answers the admission of a visitor who may enter now, with the request recorded as a login. Null: the visitor has
     * been answered. Sends the visitor's cookie if it changed.
     */
    async claim(
      ctx: Context,
      room: WaitingRoom,
      request: EntryRequest,
      seenElsewhere?: SeenElsewhere,
    ): Promise<Admission | AwayAdmission | null> {
      const isFromOurPage = !request.isFreshStart && comesFromPageOf(issuer, ctx.headers);
      const visit: Visit = {
        ctx,
        request,
        room,
        isFromOurPage,
        newTicket: null,
        hasSpare: false,
        isCookieUnreadable: false,
        places: cookieBound(ctx, room.id),
      };
      const admission = await enter(visit, seenElsewhere);
      if (visit.newTicket !== null && !visit.isCookieUnreadable) {
        keepTicket(cookies, room, ctx.res, visit.newTicket, visit.hasSpare && admission === null);
      }
      // The place was used.
      if (admission !== null) forgetSpares(cookies, room, ctx);
      return admission;
    },
  };

  async function enter(visit: Visit, seenElsewhere?: SeenElsewhere): Promise<Admission | AwayAdmission | null> {
    const { ctx, request, room } = visit;
    const { presented, surplus } = readTickets(cookies, room, ctx.req);
    if (presented.kind === "unknown_key") {
      if (room.entrance !== "pass") return answers.offerToJoinAgain(visit, "ticket_unreadable", null);
      // Where everybody passes, so does this visitor; what cannot be read stays as it is.
      visit.isCookieUnreadable = true;
    }
    let ticket = presented.kind === "ticket" ? presented.ticket : null;
    if (surplus.length > 0) {
      visit.newTicket = ticket;
      await refund(room, ctx.res, surplus);
    }

    // A ticket without a place proves nothing about the room.
    if (ticket !== null && ticket.position > 0 && room.isNews(ticket)) {
      await room.verifyAhead(ticket);
      const isUnknown = room.state !== null && ticket.edition > room.state.edition;
      if (isUnknown && room.availability === "ready") {
        return answers.offerToJoinAgain(visit, "ticket_unreadable", ticket);
      }
    }
    if (ticket === null && keepsNoCookies(visit)) return answers.cookiesBlocked(visit);
    if (ticket === null && request.isFreshStart) {
      // Comes back at once by the plain address, so that a cookie that was not kept is noticed there.
      if ((await givePlace(visit, null)) !== null) seeOther(ctx, request.address);
      return null;
    }
    if (ticket !== null) ticket = noteRequest(visit, withoutOldPlace(room, ticket));

    for (let claims = 0; claims < maxClaims; claims++) {
      // What this process believes of the admission does not count once the store has answered.
      if (ticket === null || claims > 0 || needsPlace(room, ticket)) {
        ticket = await givePlace(visit, ticket);
        if (ticket === null) return null;
      }
      if (!mayClaim(room, ticket)) {
        if (ticket.position === 0) return answers.notNow(visit, "hold_on", awayRetryMs);
        if (room.entrance === "closed") return answers.closed(visit, true);
        const voided = room.voidOf(ticket);
        if (voided !== null) return answers.voided(visit, voided, ticket);
        // It may have come back: where the store cannot be asked, nobody is led to give it up.
        const isElsewhere = (await room.confirmMoved(ticket)) && room.availability === "ready";
        return isElsewhere ? answers.offerToJoinAgain(visit, "moved", ticket) : answers.park(visit, ticket);
      }
      if (!(await identities.isProven(ctx, room, ticket.sub))) return answers.signIn(visit, ticket);
      const bound = devices.ofLogin(ctx, room, ticket, request.address);
      if (bound === "device") return answers.device(visit, devices.ask(room, request.address, ticket), ticket);
      if (bound === "other_device") return answers.offerToJoinAgain(visit, "other_device", ticket);
      if (bound !== ticket) visit.newTicket = bound;
      ticket = bound;
      const answer = await claimPlace(visit, ticket, seenElsewhere);
      if (answer !== "join_again") return answer;
      // There is a line since, and what cannot be read may be a place in it.
      if (visit.isCookieUnreadable) return answers.offerToJoinAgain(visit, "ticket_unreadable", null);
      ticket = withoutPlace(ticket);
    }
    return answers.notNow(visit, "hold_on", awayRetryMs);
  }

  /** From a page of this issuer visitors bring a cookie, a ticket or an arrival stamp. Where there is no line, none is needed. */
  function keepsNoCookies({ ctx, room, isFromOurPage, isCookieUnreadable }: Visit): boolean {
    if (!isFromOurPage || isCookieUnreadable || room.entrance !== "line") return false;
    return cookies.stamp(room.id).read(ctx.req) === undefined;
  }

  /** Neither a place of this edition nor an admission: the visitor stands before the room. */
  function needsPlace(room: WaitingRoom, ticket: Ticket): boolean {
    if (ticket.position > 0) return false;
    if (room.away.isLettingIn) return !room.away.hasLetIn(ticket.sub);
    return ticket.claim === null && !room.admissions.isCachedLive(ticket.sub);
  }

  /**
   * Signs the first sight of a request into the ticket. A request that comes from a page of this issuer was seen
   * before, and another tab's ticket has replaced the one with the time: it counts as the oldest possible.
   */
  function noteRequest(visit: Visit, ticket: Ticket): Ticket {
    const requests = withRequest(ticket.requests, visit.request, visit.isFromOurPage ? 0 : clock.now());
    if (requests === ticket.requests) return ticket;
    visit.newTicket = { ...ticket, requests };
    return visit.newTicket;
  }

  /** The next place in line, or none where none is needed. Null when there is none to be had: that has been answered. */
  async function givePlace(visit: Visit, known: Ticket | null): Promise<Ticket | null> {
    const { ctx, room } = visit;
    const stamp = stamps.read(room.id, cookies.stamp(room.id).read(ctx.req));
    if (visit.places !== null && known === null) return answers.tooManyPlaces(visit, visit.places);
    if (room.entrance === "line") {
      const joined = await join(ctx, room, known, stamp?.arrivedMs ?? clock.now());
      if (joined.result === "check") return answers.check(visit, joined);
      if (joined.result === "device")
        return answers.device(visit, devices.ask(room, visit.request.address, null), null);
      if (joined.result === "joined") return keep(visit, joined.ticket, stamp?.requests);
      if (joined.result === "full") return answers.notNow(visit, "room_full", fullRetryMs);
      if (joined.result === "too_many") return answers.notNow(visit, "too_many_from_address", joined.retryMs);
      if (joined.result === "refused") return answers.networkRefused(visit);
      if (joined.result === "voided") return answers.voided(visit, joined.void, null);
      if (joined.result === "uninvited") return answers.unkeyed(visit, null);
      if (joined.result === "unidentified") return answers.signIn(visit, null);
      if (joined.result === "early") return answers.unkeyed(visit, joined.opensAtMs);
      if (joined.result === "later") return answers.notNow(visit, "hold_on", joined.retryMs);
    }
    if (room.entrance !== "pass") return answers.closed(visit, false);
    if (known !== null) return keep(visit, withoutPlace(known), stamp?.requests);
    const retryMs = room.passers.take(joinAddressOf(ctx));
    if (retryMs > 0) return answers.notNow(visit, "too_many_from_address", retryMs);
    return keep(visit, keyedEntries.visitorWithoutPlace(ctx, room), stamp?.requests);
  }

  /** The ticket remembers what the arrival stamp did, which has done its work. */
  function keep(visit: Visit, ticket: Ticket, stamped: readonly SeenRequest[] = []): Ticket {
    const { ctx, request, room } = visit;
    const stamp = cookies.stamp(room.id);
    if (stamp.read(ctx.req) !== undefined) stamp.clear(ctx.res);
    let { requests } = ticket;
    for (const { hash, firstSeenMs, series } of stamped) {
      requests = rememberRequest(requests, hash, firstSeenMs, series);
    }
    visit.newTicket = { ...ticket, requests: withRequest(requests, request, firstSightMs(visit, clock.now())) };
    if (ticket.position > 0) visit.hasSpare = takesSpare(cookies, room, ctx);
    return visit.newTicket;
  }

  /** Makes one claim, and answers the visitor unless it admits, or the visitor has to join again. */
  async function claimPlace(
    visit: Visit,
    ticket: Ticket,
    seenElsewhere?: SeenElsewhere,
  ): Promise<Admission | AwayAdmission | null | "join_again"> {
    const { ctx, request, room } = visit;
    const isOvertaken = () => isSuperseded(ticket.requests, request.hash, request.series, seenElsewhere?.());
    const isFresh = isYoungEnough(ticket, request) && !isOvertaken();
    const result = await room.claim(ticket, isFresh ? request.login : null, { address: joinAddressOf(ctx) });
    // Without a place there is no waiting page to show: the visitor retries when the store is back, or has room for another one who passes.
    if (ticket.position === 0) {
      if (result.result === "recovering") return answers.notNow(visit, "hold_on", result.remainingMs);
      if (result.result === "held") return answers.notNow(visit, "hold_on", result.retryMs);
      if (result.result === "away") return answers.notNow(visit, "hold_on", awayRetryMs);
    }
    switch (result.result) {
      case "admitted":
      case "answered": {
        const claimed = claimedTicket(room, ticket, result.admission);
        const mayEnter = result.result === "admitted" ? isFresh : request.isRepeatable === true;
        if (!mayEnter) return answers.restart(visit, claimed);
        visit.newTicket = { ...claimed, restarts: 0 };
        return result.admission;
      }
      case "let_in":
        // The place stays the visitor's: the store knows nothing of this.
        if (!isFresh) return answers.restart(visit, ticket);
        visit.newTicket = { ...ticket, restarts: 0 };
        return result.admission;
      case "exhausted":
        return answers.notice(visit, 429, "too_many_logins");
      case "too_many_addresses":
        return answers.notice(visit, 429, "in_use");
      case "held": {
        const state = result.by === "recovery" ? "recovering" : "held";
        return answers.waiting(visit, ticket, state, result.retryMs, heldClaim(result));
      }
      case "recovering":
        return answers.waiting(visit, ticket, "recovering", result.remainingMs);
      case "away":
        return answers.waiting(visit, ticket, "store_away");
      case "paused":
        return answers.waiting(visit, ticket, "paused");
      case "waiting":
      case "beyond":
      case "void":
        return answers.waiting(visit, ticket, "waiting");
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
        // The place of the visitor's key is another one, which joining again gives.
        return room.isByKey ? "join_again" : answers.offerToJoinAgain(visit, "moved", ticket);
      case "voided": {
        // Where this process has not synced the void.
        if (room.voidOf(ticket) === null) await room.catchUp();
        const voided = room.voidOf(ticket);
        return voided === null ? answers.waiting(visit, ticket, "waiting") : answers.voided(visit, voided, ticket);
      }
      case "newer_edition":
        return answers.offerToJoinAgain(visit, "ticket_unreadable", ticket);
      case "ended":
      case "old_edition":
        return "join_again";
    }
  }

  function isYoungEnough({ requests }: Ticket, { hash, rememberedMs }: EntryRequest): boolean {
    if (rememberedMs === null) return true;
    const seen = findRequest(requests, hash);
    return seen === undefined || clock.now() - seen.firstSeenMs < rememberedMs;
  }
}
