import type { Clock } from "../../lib/clock.ts";
import { type ArrivalStamps, maxRestartsInARow, type Ticket } from "../../room/index.ts";
import { freshStart } from "./authorization-request.ts";
import type { GateResponder, Parked } from "./gate-responder.ts";
import { firstSightMs, type Visit, withThisRequest } from "./gate-visit.ts";
import { seeOther } from "./see-other.ts";
import { uiLocalesOf } from "./ui-locales.ts";
import type { VisitorCookies } from "./visitor-cookies.ts";

export interface GateAnswersOptions {
  readonly cookies: VisitorCookies;
  readonly stamps: ArrivalStamps;
  readonly responder: GateResponder;
  readonly clock: Clock;
}

/** Milliseconds until a retry for a full line, and for a room whose phase this process does not know yet. */
const fullRetryMs = 30_000;
const unknownRetryMs = 1_000;
const endedRetryMs = 60_000;

/** The answers to visitors who may not enter now. Each sends the response and returns null. */
export function createGateAnswers({ cookies, stamps, responder, clock }: GateAnswersOptions) {
  /**
   * Signs the arrival time and the logins of a visitor who gets no place into a cookie. Its return also proves that the
   * browser keeps cookies.
   */
  function stampArrival(visit: Visit): void {
    const { ctx, room } = visit;
    const nowMs = clock.now();
    const known = stamps.read(room.id, cookies.readStamp(ctx.req, room.id));
    const requests = withThisRequest(known?.requests ?? [], visit, firstSightMs(visit, nowMs));
    // An old one is sent again, so that the browser keeps it for longer.
    cookies.setStamp(ctx.res, room.id, stamps.issue({ room: room.id, arrivedMs: known?.arrivedMs ?? nowMs, requests }));
  }

  /** The waiting page, and with it the visitor's cookie if it changed. */
  function waiting(visit: Visit, parked: Omit<Parked, "cookie" | "clientId">): null {
    const { ctx, request, room, newTicket } = visit;
    const isKept = newTicket === null || visit.isCookieUnreadable;
    const cookie = isKept ? null : cookies.ticketCookie(room.id, room.encode(newTicket));
    visit.newTicket = null;
    responder.parked(ctx, room, { ...parked, cookie, clientId: request.clientId });
    return null;
  }

  return {
    waiting,

    /** Kept on the waiting page without asking the store. */
    park(visit: Visit, ticket: Ticket): null {
      const { room } = visit;
      const common = { ticket, retryMs: null, held: null };
      if (room.availability === "away") return waiting(visit, { ...common, state: "store_away" });
      if (room.availability === "recovering" || room.isHeld) return waiting(visit, { ...common, state: "recovering" });
      const phase = room.state?.phase;
      if (phase === "paused") return waiting(visit, { ...common, state: "paused" });
      return waiting(visit, { ...common, state: phase === "prequeue" ? "entered" : "waiting" });
    },

    /** @param ticket whose place would be given up; null for one that cannot be read. */
    offerToJoinAgain(
      { ctx, request, room }: Visit,
      code: "ticket_unreadable" | "place_expired" | "place_left" | "moved",
      ticket: Ticket | null,
    ): null {
      const returnTo = freshStart(request.address);
      responder.notice(ctx, { status: 200, code, room, returnTo, place: ticket });
      return null;
    },

    cookiesBlocked({ ctx, request, room }: Visit): null {
      const returnTo = freshStart(request.address);
      responder.notice(ctx, { status: 400, code: "cookies_blocked", room, returnTo });
      return null;
    },

    /** Nobody can be given a position just now. */
    later(visit: Visit, retryMs: number): null {
      stampArrival(visit);
      responder.notice(visit.ctx, { status: 503, code: "hold_on", room: visit.room, retryMs });
      return null;
    },

    full(visit: Visit): null {
      stampArrival(visit);
      responder.notice(visit.ctx, { status: 503, code: "room_full", room: visit.room, retryMs: fullRetryMs });
      return null;
    },

    /** So many have joined from the visitor's address just now that this one waits for a token. */
    tooManyFromAddress(visit: Visit, retryMs: number): null {
      stampArrival(visit);
      responder.notice(visit.ctx, { status: 429, code: "too_many_from_address", room: visit.room, retryMs });
      return null;
    },

    /** The room is not open yet, or has ended. A visitor with a place keeps it, in case the room is opened again. */
    closed(visit: Visit, hasPlace: boolean): null {
      const { ctx, room } = visit;
      stampArrival(visit);
      const phase = room.state?.phase;
      if (phase === "idle" && !room.isOpeningOverdue) {
        const { lineBeginsMs: opensAtMs, entryBeginsMs: entryAtMs } = room;
        responder.notice(ctx, { status: 200, code: "not_open", room, opensAtMs, entryAtMs });
      } else if (phase === "ended") {
        responder.notice(ctx, { status: 200, code: "ended", room, ...(hasPlace && { retryMs: endedRetryMs }) });
      } else responder.notice(ctx, { status: 503, code: "hold_on", room, retryMs: unknownRetryMs });
      return null;
    },

    /** The admission was used from as many addresses as it allows. */
    inUse({ ctx, room }: Visit): null {
      responder.notice(ctx, { status: 429, code: "in_use", room });
      return null;
    },

    tooManyLogins({ ctx, room }: Visit): null {
      responder.notice(ctx, { status: 429, code: "too_many_logins", room });
      return null;
    },

    /**
     * The relying party has forgotten this request, or it was answered before: a fresh one is started there, and
     * the place stays. The address is used verbatim; the languages that the request asked for are remembered beside it.
     */
    restart(visit: Visit, ticket: Ticket): null {
      const { ctx, request, room } = visit;
      const isTooOften = ticket.restarts >= maxRestartsInARow;
      visit.newTicket = { ...ticket, restarts: isTooOften ? 0 : ticket.restarts + 1 };
      if (isTooOften) {
        responder.notice(ctx, { status: 200, code: "too_many_restarts", room, restartUri: request.restartUri });
        return null;
      }
      const uiLocales = uiLocalesOf(ctx.querystring);
      if (uiLocales !== undefined) cookies.setUiLocales(ctx.res, uiLocales);
      seeOther(ctx, request.restartUri);
      return null;
    },
  };
}
