import type { Context } from "koa";
import { comesFromPageOf } from "../../lib/request.ts";
import {
  type Admission,
  type AwayAdmission,
  claimedTicket,
  deferredClaim,
  findRequest,
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
import type { GateSteps, LoginAttempt, Refusal } from "./contract.ts";
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

/** `answered`: the visitor has an answer. `passed`: oidc-provider answers. Undefined: the next step goes on. */
export type Outcome = "answered" | "passed" | undefined;
export type Step<Of extends Visit = Visit> = (visit: Of) => Outcome | Promise<Outcome>;

/** Runs steps until one has an outcome. */
export async function runSteps<Of extends Visit>(steps: readonly Step<Of>[], visit: Of): Promise<Outcome> {
  for (const step of steps) {
    const outcome = step(visit);
    const settled = outcome instanceof Promise ? await outcome : outcome;
    if (settled !== undefined) return settled;
  }
  return undefined;
}

/** The first refusal of a login by its steps; null: all let it pass. */
export async function firstRefusal(steps: GateSteps["beforeLogin"], login: LoginAttempt): Promise<Refusal | null> {
  for (const step of steps) {
    const refusal = await step(login);
    if (refusal !== null) return refusal;
  }
  return null;
}

export type GateEntry = ReturnType<typeof createGateEntry>;

/** What happens to a visit, for logins and links alike: a visitor who may enter is admitted, any other is answered. */
export function createGateEntry(
  parts: AnswerParts & Pick<OidcParts, "issuer" | "join" | "joinAddressOf" | "steps" | "cookieBound">,
) {
  const { issuer, cookies, cookieBound, stamps, clock, join, joinAddressOf, steps } = parts;
  const answers = createGateAnswers(parts);
  const returnSurplus = createSurplus(cookies);

  const claimSteps: readonly Step[] = [
    boundCookies,
    readTicket,
    verifyTicket,
    requireCookies,
    joinFromPage,
    recordRequest,
    claimTurn,
  ];

  function begin<Request extends EntryRequest>(
    ctx: Context,
    room: WaitingRoom,
    request: Request,
    requestsElsewhere: Visit["requestsElsewhere"] = () => [],
  ): Visit & { readonly request: Request } {
    return {
      ctx,
      room,
      request,
      requestsElsewhere,
      isFromOurPage: !request.isFreshStart && comesFromPageOf(issuer, ctx.headers),
      ticket: null,
      newTicket: null,
      hasSpare: false,
      isCookieUnreadable: false,
      places: null,
      admission: null,
      grant: {},
    };
  }

  /** Sends the visitor's cookie if it changed. */
  function sendTicket(visit: Visit): void {
    const { ctx, room, newTicket, admission } = visit;
    if (newTicket !== null && !visit.isCookieUnreadable) {
      keepTicket(cookies, room, ctx.res, newTicket, visit.hasSpare && admission === null);
    }
    // The place was used.
    if (admission !== null) forgetSpares(cookies, room, ctx);
  }

  return {
    begin,
    claimSteps,
    sendTicket,

    /**
     * The whole of it, for a link. Answers the admission of a visitor who may enter now, with the request recorded as a login. Null: the
     * visitor has been answered.
     */
    async claim(ctx: Context, room: WaitingRoom, request: EntryRequest): Promise<Admission | AwayAdmission | null> {
      const visit = begin(ctx, room, request);
      await runSteps(claimSteps, visit);
      sendTicket(visit);
      return visit.admission;
    },
  };

  /** Takes from the browser the cookies of rooms that are too many. */
  function boundCookies(visit: Visit): undefined {
    visit.places = cookieBound(visit.ctx, visit.room.id);
  }

  /** The ticket that counts; places besides it are given back to the line. */
  function readTicket(visit: Visit): Outcome | Promise<Outcome> {
    const { ctx, room } = visit;
    const { presented, surplus } = readTickets(cookies, room, ctx.req);
    if (presented.kind === "unknown_key") {
      if (room.entrance !== "pass") return answers.offerToJoinAgain(visit, "ticket_unreadable", null);
      // Where everybody passes, so does this visitor; what cannot be read stays as it is.
      visit.isCookieUnreadable = true;
    }
    visit.ticket = presented.kind === "ticket" ? presented.ticket : null;
    if (surplus.length === 0) return undefined;
    visit.newTicket = visit.ticket;
    return returnSurplus(room, ctx.res, surplus).then(() => undefined);
  }

  /** A ticket that this process cannot explain is checked with the store: it may prove a loss there. */
  function verifyTicket(visit: Visit): Outcome | Promise<Outcome> {
    const { room, ticket } = visit;
    // A ticket without a place proves nothing about the room.
    if (ticket === null || ticket.position === 0 || !room.isNews(ticket)) return undefined;
    return verifyAhead(visit, ticket);
  }

  async function verifyAhead(visit: Visit, ticket: Ticket): Promise<Outcome> {
    const { room } = visit;
    await room.verifyAhead(ticket);
    const isUnknown = room.state !== null && ticket.edition > room.state.edition;
    if (!isUnknown || room.availability !== "ready") return undefined;
    return answers.offerToJoinAgain(visit, "ticket_unreadable", ticket);
  }

  /** From a page of this issuer visitors bring a cookie, a ticket or an arrival stamp. Where there is no line, none is needed. */
  function requireCookies(visit: Visit): Outcome {
    const { ctx, room, ticket, isFromOurPage, isCookieUnreadable } = visit;
    if (ticket !== null || !isFromOurPage || isCookieUnreadable || room.entrance !== "line") return undefined;
    return cookies.stamp(room.id).read(ctx.req) === undefined ? answers.cookiesBlocked(visit) : undefined;
  }

  /**
   * A visitor whom one of our pages sends to join comes back at once by the plain address, so that a cookie that was not kept is noticed
   * there.
   */
  function joinFromPage(visit: Visit): Outcome | Promise<Outcome> {
    return visit.ticket === null && visit.request.isFreshStart ? joinAndReturn(visit) : undefined;
  }

  async function joinAndReturn(visit: Visit): Promise<Outcome> {
    if ((await takePlace(visit)) !== "answered") seeOther(visit.ctx, visit.request.address);
    return "answered";
  }

  /**
   * Signs the first sight of the request into the ticket. A request that comes from a page of this issuer was seen
   * before, and another tab's ticket has replaced the one with the time: it counts as the oldest possible.
   */
  function recordRequest(visit: Visit): undefined {
    if (visit.ticket === null) return;
    const ticket = withoutOldPlace(visit.room, visit.ticket);
    visit.ticket = ticket;
    const requests = withRequest(ticket.requests, visit.request, visit.isFromOurPage ? 0 : clock.now());
    if (requests === ticket.requests) return;
    visit.ticket = { ...ticket, requests };
    visit.newTicket = visit.ticket;
  }

  /** Takes a place where one is needed, waits for its turn, and claims it: again where the store says that there is another line. */
  async function claimTurn(visit: Visit): Promise<Outcome> {
    const { room } = visit;
    for (let claims = 0; claims < maxClaims; claims++) {
      let { ticket } = visit;
      // What this process believes of the admission does not count once the store has answered.
      if (ticket === null || claims > 0 || needsPlace(room, ticket)) {
        const taken = await takePlace(visit);
        if (taken === "answered") return taken;
        ticket = taken;
      }
      if (!mayClaim(room, ticket)) return waitForTurn(visit, ticket);
      const proven = await passLoginSteps(visit, ticket);
      if (proven === "answered") return proven;
      const outcome = await claimPlace(visit, proven);
      if (outcome !== "join_again") return outcome;
      // There is a line since, and what cannot be read may be a place in it.
      if (visit.isCookieUnreadable) return answers.offerToJoinAgain(visit, "ticket_unreadable", null);
      visit.ticket = withoutPlace(proven);
    }
    return answers.notNow(visit, "hold_on", awayRetryMs);
  }

  /** Neither a place of this edition nor an admission: the visitor stands before the room. */
  function needsPlace(room: WaitingRoom, ticket: Ticket): boolean {
    if (ticket.position > 0) return false;
    if (room.away.isLettingIn) return !room.away.hasLetIn(ticket.sub);
    return ticket.claim === null && !room.admissions.isCachedLive(ticket.sub);
  }

  /** Gives the visitor the next place in line, or a ticket without one where none is needed. */
  async function takePlace(visit: Visit): Promise<Ticket | "answered"> {
    const { ctx, room, ticket: previous } = visit;
    const stamp = stamps.read(room.id, cookies.stamp(room.id).read(ctx.req));
    if (visit.places !== null && previous === null) return answers.tooManyPlaces(visit, visit.places);
    if (room.entrance === "line") {
      const joined = await join(ctx, room, previous, stamp?.arrivedMs ?? clock.now());
      switch (joined.result) {
        case "joined":
          return accept(visit, joined.ticket, stamp?.requests);
        case "step":
          return answers.refuse(visit, joined.refusal);
        case "full":
          return answers.notNow(visit, "room_full", fullRetryMs);
        case "too_many":
          return answers.notNow(visit, "too_many_from_address", joined.retryMs);
        case "refused":
          return answers.networkRefused(visit);
        case "voided":
          return answers.voided(visit, joined.void, null);
        case "later":
          return answers.notNow(visit, "hold_on", joined.retryMs);
      }
    }
    if (room.entrance !== "pass") return answers.closed(visit, false);
    if (previous !== null) return accept(visit, withoutPlace(previous), stamp?.requests);
    const retryMs = room.passers.take(joinAddressOf(ctx));
    if (retryMs > 0) return answers.notNow(visit, "too_many_from_address", retryMs);
    const visitor = steps.identify(ctx, room);
    // If the room requires sign-in, that comes later: before the login, when the visitor may enter.
    return accept(visit, room.visitorWithoutPlace("page" in visitor ? undefined : visitor.name), stamp?.requests);
  }

  /** The ticket remembers what the arrival stamp did, which has done its work. */
  function accept(visit: Visit, ticket: Ticket, stamped: readonly SeenRequest[] = []): Ticket {
    const { ctx, request, room } = visit;
    const stamp = cookies.stamp(room.id);
    if (stamp.read(ctx.req) !== undefined) stamp.clear(ctx.res);
    let { requests } = ticket;
    for (const { hash, firstSeenMs, series } of stamped) {
      requests = rememberRequest(requests, hash, firstSeenMs, series);
    }
    const accepted = { ...ticket, requests: withRequest(requests, request, firstSightMs(visit, clock.now())) };
    visit.ticket = accepted;
    visit.newTicket = accepted;
    if (ticket.position > 0) visit.hasSpare = takesSpare(cookies, room, ctx);
    return accepted;
  }

  /** Answers a visitor whose turn has not come, by what this process knows. */
  function waitForTurn(visit: Visit, ticket: Ticket): Outcome | Promise<Outcome> {
    const { room } = visit;
    if (ticket.position === 0) return answers.notNow(visit, "hold_on", awayRetryMs);
    if (room.entrance === "closed") return answers.closed(visit, true);
    const voided = room.voidOf(ticket);
    if (voided !== null) return answers.voided(visit, voided, ticket);
    return room.isMoved(ticket) ? confirmMove(visit, ticket) : answers.park(visit, ticket);
  }

  /** The place may have come back: where the store cannot be asked, nobody is led to give it up. */
  async function confirmMove(visit: Visit, ticket: Ticket): Promise<Outcome> {
    const { room } = visit;
    const isElsewhere = (await room.confirmMoved(ticket)) && room.availability === "ready";
    return isElsewhere ? answers.offerToJoinAgain(visit, "moved", ticket) : answers.park(visit, ticket);
  }

  /** The steps before a login. Answers the ticket, which may say more since. */
  async function passLoginSteps(visit: Visit, ticket: Ticket): Promise<Ticket | "answered"> {
    const { ctx, room, request, grant } = visit;
    const login: LoginAttempt = { ctx, room, by: "page", address: request.address, ticket, grant };
    const refusal = await firstRefusal(steps.beforeLogin, login);
    if (refusal !== null) return answers.refuse(visit, refusal);
    if (login.ticket !== ticket) visit.newTicket = login.ticket;
    return login.ticket;
  }

  /** Makes one claim, and answers the visitor unless it admits, or the visitor has to join again. */
  async function claimPlace(visit: Visit, ticket: Ticket): Promise<Outcome | "join_again"> {
    const { ctx, request, room } = visit;
    const isOvertaken = () => isSuperseded(ticket.requests, request.hash, request.series, visit.requestsElsewhere());
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
        return mayEnter ? admit(visit, claimed, result.admission) : answers.restart(visit, claimed);
      }
      case "let_in":
        // The place stays the visitor's: the store knows nothing of this.
        return isFresh ? admit(visit, ticket, result.admission) : answers.restart(visit, ticket);
      case "exhausted":
        return answers.notice(visit, 429, "too_many_logins");
      case "too_many_addresses":
        return answers.notice(visit, 429, "in_use");
      case "held": {
        const state = result.by === "recovery" ? "recovering" : "held";
        return answers.waiting(visit, ticket, state, result.retryMs, deferredClaim(result));
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

  function admit(visit: Visit, ticket: Ticket, admission: Admission | AwayAdmission): undefined {
    visit.newTicket = { ...ticket, restarts: 0 };
    visit.admission = admission;
  }

  function isYoungEnough({ requests }: Ticket, { hash, rememberedMs }: EntryRequest): boolean {
    if (rememberedMs === null) return true;
    const seen = findRequest(requests, hash);
    return seen === undefined || clock.now() - seen.firstSeenMs < rememberedMs;
  }
}
