import Router from "@koa/router";
import type { Context } from "koa";
import type { Clock } from "../../lib/clock.ts";
import { UsherError } from "../../lib/errors.ts";
import type { VisitorCookies } from "../../oidc/index.ts";
import type { Ticket, WaitingRoom, WaitingRooms } from "../../waiting-room/index.ts";
import { allowAnyOrigin } from "../cors.ts";
import type { PageResponder } from "../page-responder.ts";
import { readForm } from "../read-body.ts";
import { requireSameOrigin } from "../same-origin.ts";
import { placeStatusJson } from "./place-status-json.ts";
import { statusBody } from "./status.ts";

export interface PublicRoutesOptions {
  readonly issuer: string;
  readonly rooms: WaitingRooms;
  readonly cookies: VisitorCookies;
  readonly responder: PageResponder;
  readonly clock: Clock;
}

/** What visitors' pages and apps ask: the room's status, and their own place. */
export function publicRoutes({ issuer, rooms, cookies, responder, clock }: PublicRoutesOptions): Router {
  const router = new Router({ prefix: "/rooms/:room" });

  const roomOf = (ctx: Context): WaitingRoom => {
    const room = rooms.get(ctx.params.room);
    if (room === undefined) throw new UsherError("unknown_room", "there is no room of this name", { status: 404 });
    return room;
  };

  /** The ticket that is presented; Bearer wins over the cookie. */
  const ticketOf = (ctx: Context, room: WaitingRoom): { ticket: Ticket; isCookie: boolean } => {
    const authorization = ctx.get("Authorization");
    const bearer = /^Bearer (\S+)$/i.exec(authorization)?.[1];
    if (authorization !== "" && bearer === undefined) {
      throw new UsherError("invalid_ticket", "send the ticket as Authorization: Bearer", { status: 401 });
    }
    const token = bearer ?? cookies.readTicket(ctx.req, room.id);
    if (token === undefined) throw new UsherError("no_ticket", "no ticket was presented", { status: 401 });
    const presented = room.read(token);
    if (presented.kind !== "ticket" || presented.ticket.position === 0) {
      throw new UsherError("invalid_ticket", "this is not a valid ticket of this room", { status: 401 });
    }
    return { ticket: presented.ticket, isCookie: bearer === undefined };
  };

  const describe = (room: WaitingRoom, ticket: Ticket) => {
    const place = room.describe(ticket);
    if (place === null)
      throw new UsherError("store_unavailable", "try again in a moment", { status: 503, retryAfterSec: 2 });
    return placeStatusJson(place);
  };

  const refuseForeignCookies = (ctx: Context, isCookie: boolean) => {
    if (isCookie) requireSameOrigin(ctx, issuer);
  };

  router.options("/status", allowAnyOrigin);
  router.get("/status", allowAnyOrigin, (ctx) => {
    const body = statusBody(roomOf(ctx));
    if (body === null)
      throw new UsherError("store_unavailable", "try again in a moment", { status: 503, retryAfterSec: 2 });
    ctx.set("Cache-Control", "public, max-age=1");
    ctx.type = "json";
    ctx.body = body;
  });

  router.options("/tickets", allowAnyOrigin);
  router.post("/tickets", allowAnyOrigin, async (ctx) => {
    const room = roomOf(ctx);
    const joined = await room.join(null, clock.now());
    if (joined.result === "later") {
      throw new UsherError("store_unavailable", "no positions can be given just now; try again in a moment", {
        status: 503,
        retryAfterSec: Math.ceil(joined.retryMs / 1_000),
      });
    }
    ctx.status = 201;
    ctx.set("Cache-Control", "no-store");
    ctx.body = { ticket: room.encode(joined.ticket), ...describe(room, joined.ticket) };
  });

  router.options("/tickets/me", allowAnyOrigin);
  router.get("/tickets/me", allowAnyOrigin, async (ctx) => {
    const room = roomOf(ctx);
    const { ticket } = ticketOf(ctx, room);
    if (room.isAhead(ticket)) await room.verifyAhead(ticket);
    ctx.set("Cache-Control", "no-store");
    ctx.body = describe(room, ticket);
  });

  router.delete("/tickets/me", allowAnyOrigin, async (ctx) => {
    const room = roomOf(ctx);
    const { ticket, isCookie } = ticketOf(ctx, room);
    refuseForeignCookies(ctx, isCookie);
    await room.leave(ticket);
    if (isCookie) cookies.setTicket(ctx.res, room.id, room.encode(room.emptyTicket(ticket)));
    ctx.status = 204;
  });

  // The buttons of the pages, for browsers without scripts as well.
  router.post("/leave", async (ctx) => {
    const room = roomOf(ctx);
    requireSameOrigin(ctx, issuer);
    const presented = room.read(cookies.readTicket(ctx.req, room.id));
    if (presented.kind === "ticket") {
      await room.leave(presented.ticket);
      cookies.setTicket(ctx.res, room.id, room.encode(room.emptyTicket(presented.ticket)));
    }
    responder.page(ctx, 200, { code: "left", values: { room: room.title } });
  });

  router.post("/rejoin", async (ctx) => {
    const room = roomOf(ctx);
    requireSameOrigin(ctx, issuer);
    const returnTo = new URLSearchParams(await readForm(ctx)).get("return") ?? "";
    // Only back to our own authorization endpoint, which checks the rest of it again.
    if (!/^\/authorize\?[\x21-\x7e]*$/.test(returnTo)) {
      throw new UsherError("bad_request", "the address to return to is not valid", { status: 400 });
    }
    const presented = room.read(cookies.readTicket(ctx.req, room.id));
    if (presented.kind === "ticket") {
      cookies.setTicket(ctx.res, room.id, room.encode(room.emptyTicket(presented.ticket)));
    } else {
      cookies.clearTicket(ctx.res, room.id);
    }
    ctx.status = 303;
    ctx.set("Location", returnTo);
    ctx.set("Cache-Control", "no-store");
    ctx.body = "";
  });

  return router;
}
