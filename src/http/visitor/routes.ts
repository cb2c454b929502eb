import type Router from "@koa/router";
import type { Context } from "koa";
import type { Clock } from "../../lib/clock.ts";
import { UsherError } from "../../lib/errors.ts";
import { seeOther } from "../../oidc/index.ts";
import { numberOf, type Ticket, type WaitingRoom, type WaitingRooms, withoutPlace } from "../../room/index.ts";
import { allowAnyOrigin, allowOrigins } from "../middleware/cors.ts";
import { readForm } from "../middleware/read-body.ts";
import { createRouter } from "../middleware/router.ts";
import { requireSameOrigin } from "../middleware/same-origin.ts";
import { claim } from "./claim.ts";
import type { JoinAddress } from "./join-address.ts";
import { later } from "./later.ts";
import { type BypassOptions, createBypass } from "./links/bypass.ts";
import { createDrawPages } from "./links/draw.ts";
import { createEnter, type EnterOptions } from "./links/enter.ts";
import { createLeave, type LeaveOptions } from "./links/leave.ts";
import { createMoveHere, type MoveHereOptions } from "./links/move-here.ts";
import { createMoveOffer, type MoveOfferOptions } from "./links/move-offer.ts";
import { knownStateFor, placeStatusJson, reportedPlace } from "./place-status-json.ts";
import { isWayInto } from "./referrer.ts";
import { statusBody } from "./status.ts";
import { createTokenExchange, type TokenOptions } from "./token.ts";

export interface PublicRoutesOptions
  extends LeaveOptions,
    EnterOptions,
    TokenOptions,
    BypassOptions,
    MoveOfferOptions,
    MoveHereOptions {
  readonly rooms: WaitingRooms;
  readonly clock: Clock;
  readonly joinAddressOf: JoinAddress;
  /** Whether pages of an origin may take places by script. */
  readonly mayJoinFrom: (room: string, origin: string) => boolean;
}

/** Seconds after which a full line may have room again. */
const fullRetrySec = 30;

/** What visitors' pages and apps ask: the room's status, and their own place. */
export function publicRoutes(options: PublicRoutesOptions): Router {
  const { issuer, rooms, cookies, clock } = options;
  const router = createRouter("/rooms/:room");

  const roomOf = (ctx: Context): WaitingRoom => {
    const room = rooms.get(ctx.params.room);
    if (room === undefined) throw new UsherError("unknown_room", "there is no room of this name", { status: 404 });
    return room;
  };

  /** RFC 6750, section 3: without an error where no ticket came. */
  const notTheirs = (ctx: Context, room: WaitingRoom, code: "no_ticket" | "invalid_ticket", message: string) => {
    const error = code === "no_ticket" ? "" : `, error="invalid_token", error_description="${message}"`;
    ctx.set("WWW-Authenticate", `Bearer realm="${room.id}"${error}`);
    return new UsherError(code, message, { status: 401 });
  };

  /** The ticket that is presented; Bearer wins over the cookie, which does not count everywhere. */
  const ticketOf = (ctx: Context, room: WaitingRoom, cookieCounts = true): { ticket: Ticket; isCookie: boolean } => {
    const authorization = ctx.get("Authorization");
    const bearer = /^Bearer (\S+)$/i.exec(authorization)?.[1];
    if (authorization !== "" && bearer === undefined) {
      throw notTheirs(ctx, room, "invalid_ticket", "send the ticket as Authorization: Bearer");
    }
    const token = bearer ?? (cookieCounts ? cookies.readTicket(ctx.req, room.id) : undefined);
    if (token === undefined) throw notTheirs(ctx, room, "no_ticket", "no ticket was presented");
    const presented = room.read(token);
    if (presented.kind === "unknown_key") {
      throw new UsherError("ticket_unreadable", "this process cannot read the ticket; keep it and try again later", {
        status: 409,
      });
    }
    if (presented.kind !== "ticket" || !saysSomething(room, presented.ticket)) {
      throw notTheirs(ctx, room, "invalid_ticket", "this is not a valid ticket of this room");
    }
    return { ticket: presented.ticket, isCookie: bearer === undefined };
  };

  const refuseForeignCookies = (ctx: Context, isCookie: boolean) => {
    if (isCookie) requireSameOrigin(ctx, issuer);
  };

  router.options("/status", allowAnyOrigin);
  router.get("/status", allowAnyOrigin, (ctx) => {
    const body = statusBody(roomOf(ctx));
    if (body === null) throw later("nothing is known of this room yet; try again in a moment");
    ctx.set("Cache-Control", "public, max-age=1");
    ctx.type = "json";
    ctx.body = body;
  });

  // Else any page that a visitor opens could take places from their address.
  const allowJoin = allowOrigins((ctx, origin) => origin === issuer || options.mayJoinFrom(ctx.params.room, origin));
  router.options("/tickets", allowJoin);
  router.post("/tickets", allowJoin, async (ctx) => {
    const room = roomOf(ctx);
    const joined = await room.join(null, clock.now(), () => options.joinAddressOf(ctx));
    if (joined.result === "later") {
      throw later("no positions can be given just now; try again in a moment", joined.retryMs);
    }
    if (joined.result === "full") {
      throw new UsherError("room_full", "so many wait already that no more are taken; try again later", {
        status: 503,
        expose: true,
        retryAfterSec: fullRetrySec,
      });
    }
    if (joined.result === "too_many") {
      const message = "so many have joined from this address just now that no more are taken; try again in a moment";
      const retryAfterSec = Math.ceil(joined.retryMs / 1_000);
      throw new UsherError("too_many_from_address", message, { status: 429, expose: true, retryAfterSec });
    }
    if (joined.result === "closed" && room.entrance === "pass") {
      const ticket = room.visitorWithoutPlace();
      ctx.status = 201;
      ctx.set("Cache-Control", "no-store");
      ctx.body = { ticket: room.encode(ticket), ...placeStatusJson(reportedPlace(room, ticket)) };
      return;
    }
    if (joined.result === "closed") {
      const phase = room.state?.phase ?? "closed";
      throw new UsherError("room_closed", `there is no line to join: the room is ${phase}`, { status: 409 });
    }
    const { ticket } = joined;
    // A reset that this process has not synced yet.
    if (room.isAhead(ticket)) await room.verifyAhead(ticket);
    ctx.status = 201;
    ctx.set("Cache-Control", "no-store");
    ctx.body = { ticket: room.encode(ticket), ...placeStatusJson(reportedPlace(room, ticket)) };
  });

  router.options("/tickets/me", allowAnyOrigin);
  router.get("/tickets/me", allowAnyOrigin, async (ctx) => {
    const room = roomOf(ctx);
    const { ticket } = ticketOf(ctx, room);
    if (room.isNews(ticket)) await room.verifyAhead(ticket);
    // A place that seems moved is checked again, so that the answer is current.
    await room.moves.isElsewhere(ticket);
    if (room.state !== null && knownStateFor(room, ticket) === null) {
      throw later("this place is newer than what is known of the room; try again in a moment");
    }
    ctx.set("Cache-Control", "no-store");
    ctx.body = placeStatusJson(reportedPlace(room, ticket));
  });

  const draw = createDrawPages(options);
  router.options("/tickets/me/receipt", allowAnyOrigin);
  router.get("/tickets/me/receipt", allowAnyOrigin, async (ctx) => {
    const room = roomOf(ctx);
    await draw.tellReceipt(ctx, room, ticketOf(ctx, room).ticket);
  });
  router.options("/draw", allowAnyOrigin);
  router.get("/draw", allowAnyOrigin, (ctx) => draw.show(ctx, roomOf(ctx)));
  router.get("/draw/checker.js", (ctx) => {
    roomOf(ctx);
    draw.checker(ctx);
  });

  router.delete("/tickets/me", allowAnyOrigin, async (ctx) => {
    const room = roomOf(ctx);
    const { ticket, isCookie } = ticketOf(ctx, room);
    refuseForeignCookies(ctx, isCookie);
    await room.leave(ticket);
    if (isCookie) cookies.setTicket(ctx.res, room.id, room.encode(withoutPlace(ticket)));
    ctx.status = 204;
  });

  router.options("/tickets/me/claim", allowAnyOrigin);
  router.post("/tickets/me/claim", allowAnyOrigin, async (ctx) => {
    const room = roomOf(ctx);
    const presented = ticketOf(ctx, room);
    refuseForeignCookies(ctx, presented.isCookie);
    await claim(ctx, room, presented, cookies);
  });

  const exchange = createTokenExchange(options);
  router.options("/tickets/me/token", allowAnyOrigin);
  router.post("/tickets/me/token", allowAnyOrigin, async (ctx) => {
    const room = roomOf(ctx);
    const { ticket } = ticketOf(ctx, room, false);
    await exchange(ctx, room, ticket);
  });

  const enter = createEnter(options);
  router.get("/enter", (ctx) => enter(ctx, roomOf(ctx)));

  const bypass = createBypass(options);
  router.get("/bypass", (ctx) => bypass.show(ctx, roomOf(ctx)));
  router.post("/bypass", (ctx) => bypass.claim(ctx, roomOf(ctx)));

  const moveOffer = createMoveOffer(options);
  router.options("/move", allowAnyOrigin);
  router.post("/move", allowAnyOrigin, async (ctx) => {
    const room = roomOf(ctx);
    await moveOffer.offer(ctx, room, ticketOf(ctx, room));
  });
  router.options("/move/state", allowAnyOrigin);
  router.get("/move/state", allowAnyOrigin, async (ctx) => {
    const room = roomOf(ctx);
    await moveOffer.tellState(ctx, room, ticketOf(ctx, room).ticket);
  });

  const moveHere = createMoveHere(options);
  router.get("/move", (ctx) => moveHere.show(ctx, roomOf(ctx)));
  router.post("/move/here", (ctx) => moveHere.take(ctx, roomOf(ctx)));

  const leave = createLeave(options);
  router.get("/leave", (ctx) => leave.byLink(ctx, roomOf(ctx)));
  router.post("/leave", (ctx) => leave.byButton(ctx, roomOf(ctx)));

  // A button of our own pages, too.
  router.post("/rejoin", async (ctx) => {
    const room = roomOf(ctx);
    requireSameOrigin(ctx, issuer);
    const form = new URLSearchParams(await readForm(ctx));
    const returnTo = form.get("return") ?? "";
    // Only back to where this room is entered, which checks the rest of it again.
    if (!isWayInto(room.id, returnTo)) {
      throw new UsherError("bad_request", "the address to return to is not valid", { status: 400 });
    }
    // Only the place that the page spoke of is given up; another tab may have joined since.
    const presented = room.read(cookies.readTicket(ctx.req, room.id));
    if (presented.kind === "ticket" && isPlaceOf(presented.ticket, form)) {
      cookies.setTicket(ctx.res, room.id, room.encode(withoutPlace(presented.ticket)));
    } else if (presented.kind === "unknown_key" && !form.has("position")) {
      cookies.clearTicket(ctx.res, room.id);
    }
    seeOther(ctx, returnTo);
  });

  return router;
}

/** A ticket without a place says something where none is needed, or when there was an admission. */
function saysSomething(room: WaitingRoom, { position, claim }: Ticket): boolean {
  return position > 0 || claim !== null || room.entrance === "pass";
}

function isPlaceOf(ticket: Ticket, form: URLSearchParams): boolean {
  return form.get("edition") === String(ticket.edition) && form.get("position") === String(numberOf(ticket));
}
