import type { IncomingMessage, ServerResponse } from "node:http";
import type { Context } from "koa";
import { z } from "zod";
import { seeOtherAnswer } from "../../lib/described-route.ts";
import { UsherError } from "../../lib/errors.ts";
import { bearerTokenOf } from "../../lib/request.ts";
import { roomIdShape } from "../../lib/room-id.ts";
import { readTicket as readTicketOf, seeOther } from "../../oidc/index.ts";
import { numberOf, reportedPlace, stateFor, type Ticket, type WaitingRoom, withoutPlace } from "../../room/index.ts";
import { sampleRank } from "../../room/public-status/pacing.ts";
import { allowOrigins, requireSameOrigin } from "../middleware/cross-origin.ts";
import { readJson, readSameOriginForm } from "../middleware/read-body.ts";
import { invitationBody, placeAnswer, ticketAnswer } from "./answers.ts";
import { readPresented } from "./join-check.ts";
import { isWayInto } from "./pages/page-request.ts";
import { keepAlone, leaveRoom, readTicket, type VisitorParts } from "./parts.ts";
import { createPlaceForProgram, placeErrors } from "./place-for-program.ts";
import { placeStatusJson } from "./place-status-json.ts";
import type { Presented, RoomRoutes } from "./room-routes.ts";
import { later, plainHeadersOf } from "./status.ts";

/** Bytes: an invitation, and the member around it. */
const invitationBodyMax = 8_192;

/** The routes of a place in line. */
export function addTicketRoutes(
  { page, script, ofHolder }: RoomRoutes,
  tickets: ReturnType<typeof createTickets>,
  { issuer, sitesOf }: Pick<VisitorParts, "issuer" | "sitesOf">,
): void {
  const text = z.string();
  script(
    "POST",
    "/tickets",
    () => ({
      summary: "Takes a place.",
      body: invitationBody.extend({
        proof: text.optional(),
        challenge_response: text.optional(),
        session: text.optional(),
      }),
      answers: [{ status: 201, schema: ticketAnswer, description: "The place, with its ticket." }],
      errors: [...placeErrors, "invalid_invitation"],
    }),
    tickets.join,
    // Else any page that a visitor opens could take places from their address.
    allowOrigins((ctx, origin) => origin === issuer || sitesOf(ctx.params.room).allowedOrigins.includes(origin)),
  );
  ofHolder(
    "GET",
    "/tickets/me",
    () => ({
      summary: "Tells the place.",
      answers: [{ status: 200, schema: placeAnswer, description: "The place." }],
    }),
    tickets.tell,
  );
  ofHolder(
    "DELETE",
    "/tickets/me",
    () => ({
      summary: "Gives up the place, or ends the admission.",
      answers: [{ status: 204, description: "Done." }],
    }),
    tickets.leave,
  );
  page(
    "POST",
    "/rejoin",
    () => ({
      summary: "Gives up a place that is worth nothing any more, and leads back to the line.",
      form: z.object({ return: text, edition: text.optional(), position: text.optional() }),
      answers: [seeOtherAnswer],
    }),
    tickets.rejoin,
  );
}

/** Taking a place, asking for it and giving it up: the tickets of a room. */
export function createTickets(parts: VisitorParts) {
  const { issuer, cookies, keyedEntries } = parts;
  const takePlace = createPlaceForProgram(parts);
  return {
    /**
     * Bearer wins over the cookie, which does not count everywhere, and changes nothing for pages of others.
     *
     * @throws UsherError
     */
    presented(ctx: Context, room: WaitingRoom, cookieCounts = true): Presented {
      const bearer = bearerTokenOf(ctx.headers);
      if (bearer === null) throw notTheirs(ctx, room, "invalid_ticket", "send the ticket as Authorization: Bearer");
      const hasCookie = cookieCounts && cookies.ticket(room.id).read(ctx.req) !== undefined;
      if (bearer === undefined && !hasCookie) throw notTheirs(ctx, room, "no_ticket", "no ticket was presented");
      const presented = bearer === undefined ? readTicket(ctx, room, cookies) : room.read(bearer);
      if (presented.kind === "unknown_key") {
        throw new UsherError("ticket_unreadable", "this process cannot read the ticket; keep it and try again later");
      }
      if (presented.kind !== "ticket" || !saysSomething(room, presented.ticket)) {
        throw notTheirs(ctx, room, "invalid_ticket", "this is not a valid ticket of this room");
      }
      const isCookie = bearer === undefined;
      const isChange = ctx.method !== "GET" && ctx.method !== "HEAD";
      if (isCookie && isChange) requireSameOrigin(ctx, issuer);
      return { ticket: presented.ticket, isCookie };
    },

    /** `POST …/tickets`. */
    async join(ctx: Context, room: WaitingRoom): Promise<void> {
      if (room.isByKey) await showInvitation(ctx, room);
      const ticket = await takePlace(ctx, room, null, () => readPresented(ctx));
      // A reset that this process has not synced yet.
      if (ticket.position > 0 && room.isAhead(ticket)) await room.verifyAhead(ticket);
      ctx.status = 201;
      const place = placeStatusJson(reportedPlace(room, ticket));
      ctx.body = { ticket: room.encode(ticket), ...place } satisfies z.output<typeof ticketAnswer>;
    },

    /** What `tell` answers; null where something has to be asked first, or there is an error to tell. */
    cachedPlace(request: IncomingMessage, room: WaitingRoom): z.output<typeof placeAnswer> | null {
      const bearer = bearerTokenOf(request.headers);
      const presented = bearer === undefined ? readTicketOf(cookies, room, request) : room.read(bearer ?? undefined);
      if (presented.kind !== "ticket") return null;
      const { ticket } = presented;
      const isUnsure = room.isNews(ticket) || room.isMoved(ticket);
      if (isUnsure || !saysSomething(room, ticket) || stateFor(room, ticket) === null) return null;
      room.recordPage(ticket, sampleRank(ticket.position));
      return placeStatusJson(reportedPlace(room, ticket));
    },

    /** `GET …/tickets/me`. */
    async tell(ctx: Context, room: WaitingRoom, { ticket }: Presented): Promise<void> {
      room.recordPage(ticket, sampleRank(ticket.position));
      if (room.isNews(ticket)) await room.verifyAhead(ticket);
      // A place that seems moved is checked again, so that the answer is current.
      await room.confirmMoved(ticket);
      if (room.state !== null && stateFor(room, ticket) === null) {
        throw later("this place is newer than what is known of the room; try again in a moment");
      }
      ctx.body = placeStatusJson(reportedPlace(room, ticket));
    },

    /** `DELETE …/tickets/me`. */
    async leave(ctx: Context, room: WaitingRoom, { ticket, isCookie }: Presented): Promise<void> {
      if (isCookie) await leaveRoom(ctx, room, cookies, ticket);
      else await room.leave(ticket);
      ctx.status = 204;
    },

    /** `POST …/rejoin`, a button of our own pages: gives up the place that the page speaks of, and leads to the line. */
    async rejoin(ctx: Context, room: WaitingRoom): Promise<void> {
      const form = await readSameOriginForm(ctx, issuer);
      const returnTo = form.get("return") ?? "";
      // Only back to where this room is entered, which checks the rest of it again.
      if (!isWayInto(room.id, returnTo)) {
        throw new UsherError("bad_request", "the address to return to is not valid");
      }
      // Another tab may have joined since.
      const presented = readTicket(ctx, room, cookies);
      if (presented.kind === "ticket" && isPlaceOf(presented.ticket, form)) {
        keepAlone(ctx, room, cookies, restartedFrom(room, presented.ticket));
      } else if (presented.kind === "unknown_key" && !form.has("position")) {
        cookies.ticket(room.id).clear(ctx.res);
      }
      seeOther(ctx, returnTo);
    },
  };

  /** The member `invitation` of the body. @throws UsherError `invalid_invitation` */
  async function showInvitation(ctx: Context, room: WaitingRoom): Promise<void> {
    const { data } = invitationBody.safeParse(await readJson(ctx, invitationBodyMax));
    if (data === undefined) throw new UsherError("bad_request", 'expected { "invitation": "…" }');
    if (data.invitation === undefined) return;
    const refusal = await keyedEntries.show(ctx, room, data.invitation);
    if (refusal === "away") throw later("the keys of invitations cannot be fetched just now; try again in a moment");
    if (refusal === null) return;
    const what = refusal === "expired" ? "the invitation has ended" : "this is not a valid invitation to this room";
    throw new UsherError("invalid_invitation", what);
  }
}

/** Whoever gives up a place that is bound to a key may not have the key, and begins as a new visitor. */
function restartedFrom(room: WaitingRoom, ticket: Ticket): Ticket {
  if (ticket.device === undefined) return withoutPlace(ticket);
  return { ...room.visitorWithoutPlace(), requests: ticket.requests };
}

/** RFC 6750, section 3: without an error where no ticket came. */
function notTheirs(ctx: Context, room: WaitingRoom, code: "no_ticket" | "invalid_ticket", message: string): UsherError {
  const error = code === "no_ticket" ? "" : `, error="invalid_token", error_description="${message}"`;
  ctx.set("WWW-Authenticate", `Bearer realm="${room.id}"${error}`);
  return new UsherError(code, message);
}

/** A ticket without a place says something where none is needed, or when there was an admission. */
function saysSomething(room: WaitingRoom, { sub, position, claim }: Ticket): boolean {
  return position > 0 || claim !== null || room.entrance === "pass" || room.away.hasLetIn(sub);
}

function isPlaceOf(ticket: Ticket, form: URLSearchParams): boolean {
  return form.get("edition") === String(ticket.edition) && form.get("position") === String(numberOf(ticket));
}

const placePath = new RegExp(`^/rooms/(${roomIdShape})/tickets/me(?:\\?|$)`);

/**
 * Answers `GET …/tickets/me` before any framework where everything is known, since apps poll it. All else (no ticket, a place that is
 * checked with the store first) is left to the routes.
 *
 * @returns whether it was answered
 */
export function createPlaceAnswer(parts: VisitorParts) {
  const { rooms, issuer } = parts;
  const { cachedPlace } = createTickets(parts);
  const plainHeaders = plainHeadersOf(issuer, "no-store");
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    if (request.method !== "GET") return false;
    const room = rooms.get(placePath.exec(request.url ?? "")?.[1] ?? "");
    const place = room === undefined ? null : cachedPlace(request, room);
    if (place === null) return false;
    const body = JSON.stringify(place);
    response.writeHead(200, [...plainHeaders, "Content-Length", String(Buffer.byteLength(body))]);
    response.end(body);
    return true;
  };
}
