import type { CheckNeeded } from "../../check/index.ts";
import { type EntryVoid, type HeldClaim, maxRestartsInARow, type Ticket, type WaitingRoom } from "../../room/index.ts";
import type { DeviceNeeded } from "../device/devices.ts";
import { signInAddress } from "../identity/identities.ts";
import type { OidcParts } from "../parts.ts";
import { freshStart } from "./authorization-request.ts";
import { seeOther, themeNameOf, uiLocalesOf } from "./navigation.ts";
import {
  firstSightMs,
  type GateNotice,
  type GateResponder,
  type ParkedState,
  type Visit,
  withRequest,
} from "./visit.ts";
import { ticketHeaders } from "./visitor-tickets.ts";

/** Milliseconds until a retry for a room whose phase this process does not know yet, and for one that may open again. */
const unknownRetryMs = 1_000;
const endedRetryMs = 60_000;

export type AnswerParts = Pick<OidcParts, "cookies" | "stamps" | "clock"> & { readonly responder: GateResponder };

/** The answers to visitors who may not enter now. Each sends the response and returns null. */
export function createGateAnswers({ cookies, stamps, responder, clock }: AnswerParts) {
  /**
   * Signs a cookie for a visitor who gets no place: the arrival time and the logins. When the cookie comes back, it also proves
   * that the browser keeps cookies.
   */
  function stampArrival(visit: Visit): void {
    const { ctx, request, room } = visit;
    const nowMs = clock.now();
    const cookie = cookies.stamp(room.id);
    const known = stamps.read(room.id, cookie.read(ctx.req));
    const requests = withRequest(known?.requests ?? [], request, firstSightMs(visit, nowMs));
    // An old one is sent again, so that the browser keeps it for longer.
    cookie.set(ctx.res, stamps.issue({ room: room.id, arrivedMs: known?.arrivedMs ?? nowMs, requests }));
  }

  function notice(
    { ctx, room }: Visit,
    status: number,
    code: GateNotice["code"],
    more: Omit<GateNotice, "status" | "code" | "room"> = {},
  ): null {
    responder.notice(ctx, { status, code, room, ...more });
    return null;
  }

  /** The waiting page, and with it the visitor's cookie if it changed. */
  function waiting(
    visit: Visit,
    ticket: Ticket,
    state: ParkedState,
    retryMs: number | null = null,
    held: HeldClaim | null = null,
  ): null {
    const { ctx, request, room, newTicket } = visit;
    const isKept = newTicket === null || visit.isCookieUnreadable;
    const setCookies = isKept ? [] : ticketHeaders(cookies, room, newTicket, visit.hasSpare);
    visit.newTicket = null;
    responder.parked(ctx, room, { ticket, state, retryMs, held, cookies: setCookies, clientId: request.clientId });
    return null;
  }

  return {
    notice,
    waiting,

    /** Kept on the waiting page without asking the store. */
    park(visit: Visit, ticket: Ticket): null {
      const { availability, isOnHold, state } = visit.room;
      if (availability === "away") return waiting(visit, ticket, "store_away");
      if (availability === "recovering" || isOnHold) return waiting(visit, ticket, "recovering");
      if (state?.phase === "paused") return waiting(visit, ticket, "paused");
      return waiting(visit, ticket, state?.phase === "prequeue" ? "entered" : "waiting");
    },

    /** @param place that would be given up; null for one that cannot be read */
    offerToJoinAgain(visit: Visit, code: GateNotice["code"], place: Ticket | null): null {
      return notice(visit, 200, code, { returnTo: freshStart(visit.request.address), place });
    },

    /** The entry is void, or would be. @param place null where there is none yet */
    voided(visit: Visit, voided: EntryVoid, place: Ticket | null): null {
      if (place === null) stampArrival(visit);
      const returnTo = freshStart(visit.request.address);
      if (visit.room.isTakingEntries) return notice(visit, 403, "entry_voided", { returnTo, voided });
      return notice(visit, 403, "entry_voided_late", { returnTo, voided, place });
    },

    cookiesBlocked(visit: Visit): null {
      return notice(visit, 400, "cookies_blocked", { returnTo: freshStart(visit.request.address) });
    },

    /** No position just now: to nobody, to nobody more, or to nobody else from the visitor's address. */
    notNow(visit: Visit, code: "hold_on" | "room_full" | "too_many_from_address", retryMs: number): null {
      stampArrival(visit);
      return notice(visit, code === "too_many_from_address" ? 429 : 503, code, { retryMs });
    },

    /** The visitor has to do something first. */
    check(visit: Visit, check: CheckNeeded): null {
      stampArrival(visit);
      cookies.check(visit.room.id).set(visit.ctx.res, check.session);
      return notice(visit, 403, "check_required", { check });
    },

    /**
     * The browser shows first that it has the key that the place is bound to, or will be.
     *
     * @param ticket null where no place was given
     */
    device(visit: Visit, device: DeviceNeeded, ticket: Ticket | null): null {
      if (ticket === null) stampArrival(visit);
      return notice(visit, 403, "device_required", { device, returnTo: visit.request.address });
    },

    /** The browser can keep no other place: the visitor leaves one of those that it has. */
    tooManyPlaces(visit: Visit, places: readonly WaitingRoom[]): null {
      return notice(visit, 200, "too_many_places", { places, returnTo: freshStart(visit.request.address) });
    },

    /** Nobody from the visitor's network may join. */
    networkRefused(visit: Visit): null {
      return notice(visit, 403, "network_refused", { returnTo: freshStart(visit.request.address) });
    },

    /** Visitors join by a key: this one has proven none, or one whose time has not come. */
    unkeyed(visit: Visit, opensAtMs: number | null): null {
      const returnTo = freshStart(visit.request.address);
      if (opensAtMs === null) return notice(visit, 403, "uninvited", { returnTo });
      // The page comes back by itself, and shows then that the browser keeps cookies.
      stampArrival(visit);
      return notice(visit, 403, "invitation_early", { opensAtMs, returnTo });
    },

    /**
     * The visitor signs in at the room's provider first, and comes back to this request. Who has a place goes on with it then.
     *
     * @param ticket null where none was given
     */
    signIn(visit: Visit, ticket: Ticket | null): null {
      if (ticket === null || (ticket.position === 0 && ticket.claim === null)) {
        visit.newTicket = null;
        stampArrival(visit);
      }
      seeOther(visit.ctx, signInAddress(visit.room.id, visit.request.address));
      return null;
    },

    /** The room is not open yet, or has ended. A visitor with a place keeps it, in case the room is opened again. */
    closed(visit: Visit, hasPlace: boolean): null {
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
    restart(visit: Visit, ticket: Ticket): null {
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
      return null;
    },
  };
}
