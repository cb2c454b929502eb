/** One visit, and how the gate answers it: with a page, a notice, or by sending the visitor elsewhere. */
import type { Context } from "koa";
import type { Clock } from "../../lib/clock-and-random.ts";
import {
  type Admission,
  type ArrivalStamps,
  type AwayAdmission,
  type DeferredClaim,
  type EntryVoid,
  maxRestartsInARow,
  type SeenRequest,
  type Ticket,
  type WaitingRoom,
} from "../../room/index.ts";
import { type EntryRequest, freshStart, themeNameOf, uiLocalesOf, withRequest } from "./authorization-request.ts";
import type { GateNotice, GateResponder, ParkedState, Refusal } from "./contract.ts";
import { seeOther } from "./navigation.ts";
import { ticketHeaders, type VisitorCookies } from "./visitor-cookies.ts";
/** One visit on its way through the gate, and what the steps find out on that way. */
export interface Visit {
  readonly ctx: Context;
  readonly request: EntryRequest;
  readonly room: WaitingRoom;
  /** A page of this issuer sent the visitor, not to join: they ought to have a ticket by now. */
  readonly isFromOurPage: boolean;
  /** Requests that the visitor's tickets of other rooms remember. */
  readonly requestsElsewhere: () => readonly SeenRequest[];
  /** The ticket that counts; null: none. */
  ticket: Ticket | null;
  /** What the visitor's cookie has to become; null while it may stay as it is. */
  newTicket: Ticket | null;
  /** The place was given just now, and stands in a cookie of its own, too: see visitor-cookies.ts. */
  hasSpare: boolean;
  /** The visitor's cookie is signed with a key that this process does not know, and is left alone. */
  isCookieUnreadable: boolean;
  /** Rooms in which the browser has a place that counts, where it can keep no other; else null. */
  places: readonly WaitingRoom[] | null;
  /** The admission of a visitor who may enter now, with the request recorded as a login. */
  admission: Admission | AwayAdmission | null;
  /** What the login's grant carries. */
  readonly grant: Record<string, string>;
}

/**
 * When a request with no recorded time was made: one that comes from a page of this issuer is older than now, by an
 * unknown time.
 */
export function firstSightMs({ request, isFromOurPage }: Visit, nowMs: number): number {
  return request.isFreshStart || isFromOurPage ? 0 : nowMs;
}

/** Milliseconds until a retry for a room whose phase this process does not know yet, and for one that may open again. */
const unknownRetryMs = 1_000;
const endedRetryMs = 60_000;

export interface AnswerParts {
  readonly cookies: VisitorCookies;
  readonly stamps: ArrivalStamps;
  readonly responder: GateResponder;
  readonly clock: Clock;
}

/** The answers to visitors who may not enter now. Each answers the request. */
export function createGateAnswers({ cookies, stamps, responder, clock }: AnswerParts) {
  /**
   * Signs a cookie for a visitor who gets no place: the arrival time and the logins. When the cookie comes back, it also proves
   * that the browser keeps cookies.
   */
  function stampArrival(visit: Visit): void {
    const { ctx, request, room } = visit;
    const nowMs = clock.now();
    const cookie = cookies.stamp(room.id);
    const stamp = stamps.read(room.id, cookie.read(ctx.req));
    const requests = withRequest(stamp?.requests ?? [], request, firstSightMs(visit, nowMs));
    // An old one is sent again, so that the browser keeps it for longer.
    cookie.set(ctx.res, stamps.issue({ room: room.id, arrivedMs: stamp?.arrivedMs ?? nowMs, requests }));
  }

  function notice(
    { ctx, room }: Visit,
    status: number,
    code: GateNotice["code"],
    more: Omit<GateNotice, "status" | "code" | "room"> = {},
  ): "answered" {
    responder.notice(ctx, { status, code, room, ...more });
    return "answered";
  }

  /** The waiting page, and with it the visitor's cookie if it changed. */
  function waiting(
    visit: Visit,
    ticket: Ticket,
    state: ParkedState,
    retryMs: number | null = null,
    deferred: DeferredClaim | null = null,
  ): "answered" {
    const { ctx, request, room, newTicket } = visit;
    const isUnchanged = newTicket === null || visit.isCookieUnreadable;
    const setCookies = isUnchanged ? [] : ticketHeaders(cookies, room, newTicket, visit.hasSpare);
    visit.newTicket = null;
    responder.parked(ctx, room, { ticket, state, retryMs, deferred, cookies: setCookies, clientId: request.clientId });
    return "answered";
  }

  return {
    notice,
    waiting,

    /** Kept on the waiting page without asking the store. */
    park(visit: Visit, ticket: Ticket): "answered" {
      const { availability, isOnHold, state } = visit.room;
      if (availability === "away") return waiting(visit, ticket, "store_away");
      if (availability === "recovering" || isOnHold) return waiting(visit, ticket, "recovering");
      if (state?.phase === "paused") return waiting(visit, ticket, "paused");
      return waiting(visit, ticket, state?.phase === "prequeue" ? "entered" : "waiting");
    },

    /** @param place that would be given up; null for one that cannot be read */
    offerToJoinAgain(visit: Visit, code: GateNotice["code"], place: Ticket | null): "answered" {
      return notice(visit, 200, code, { returnTo: freshStart(visit.request.address), place });
    },

    /** The entry is void, or would be. @param place null where there is none yet */
    voided(visit: Visit, voided: EntryVoid, place: Ticket | null): "answered" {
      if (place === null) stampArrival(visit);
      const returnTo = freshStart(visit.request.address);
      if (visit.room.isTakingEntries) return notice(visit, 403, "entry_voided", { returnTo, voided });
      return notice(visit, 403, "entry_voided_late", { returnTo, voided, place });
    },

    cookiesBlocked(visit: Visit): "answered" {
      return notice(visit, 400, "cookies_blocked", { returnTo: freshStart(visit.request.address) });
    },

    /** No position just now: to nobody, to nobody more, or to nobody else from the visitor's address. */
    notNow(visit: Visit, code: "hold_on" | "room_full" | "too_many_from_address", retryMs: number): "answered" {
      stampArrival(visit);
      return notice(visit, code === "too_many_from_address" ? 429 : 503, code, { retryMs });
    },

    /** A step lets the visitor go no further. */
    refuse(visit: Visit, refusal: Refusal): "answered" {
      const { stampsArrival, withholdsTicket, ...page } = refusal.page(visit.request.address);
      if (withholdsTicket) visit.newTicket = null;
      if (stampsArrival) stampArrival(visit);
      if ("redirect" in page) seeOther(visit.ctx, page.redirect);
      else responder.notice(visit.ctx, { ...page, room: visit.room });
      return "answered";
    },

    /** The browser can keep no other place: the visitor leaves one of those that it has. */
    tooManyPlaces(visit: Visit, places: readonly WaitingRoom[]): "answered" {
      return notice(visit, 200, "too_many_places", { places, returnTo: freshStart(visit.request.address) });
    },

    /** Nobody from the visitor's network may join. */
    networkRefused(visit: Visit): "answered" {
      return notice(visit, 403, "network_refused", { returnTo: freshStart(visit.request.address) });
    },

    /** The room is not open yet, or has ended. A visitor with a place keeps it, in case the room is opened again. */
    closed(visit: Visit, hasPlace: boolean): "answered" {
      const { lineBeginsMs: opensAtMs, entryBeginsMs: entryAtMs, isOpeningOverdue, state } = visit.room;
      const elsewhere = visit.room.redirect === null ? {} : { redirect: visit.room.redirect };
      stampArrival(visit);
      if (state?.phase === "idle" && !isOpeningOverdue) {
        return notice(visit, 200, "not_open", { opensAtMs, entryAtMs, ...elsewhere });
      }
      if (state?.phase === "ended") {
        const code = state.phaseReason === "sold_out" ? "sold_out" : "ended";
        return notice(visit, 200, code, { ...(hasPlace && { retryMs: endedRetryMs }), ...elsewhere });
      }
      return notice(visit, 503, "hold_on", { retryMs: unknownRetryMs });
    },

    /**
     * The relying party has forgotten this request, or it was answered before: a fresh one is started there, and
     * the place stays. The address is used verbatim; the languages and the theme that the request asked for are remembered beside it.
     */
    restart(visit: Visit, ticket: Ticket): "answered" {
      const { ctx, request } = visit;
      const { restartUri } = request;
      const isTooOften = ticket.restarts >= maxRestartsInARow;
      visit.newTicket = { ...ticket, restarts: isTooOften ? 0 : ticket.restarts + 1 };
      if (isTooOften) return notice(visit, 200, "too_many_restarts", { restartUri });
      // A cookie's value has no spaces, and a tag has no dots.
      const uiLocales = uiLocalesOf(ctx.querystring)?.replaceAll(" ", ".");
      if (uiLocales !== undefined) cookies.uiLocales.set(ctx.res, uiLocales);
      const theme = themeNameOf(ctx.querystring);
      if (theme !== undefined) cookies.theme.set(ctx.res, theme);
      seeOther(ctx, restartUri);
      return "answered";
    },
  };
}
