import type Router from "@koa/router";
import type { Context } from "koa";
import { UsherError } from "../../lib/errors.ts";
import type { WaitingRoom } from "../../room/index.ts";
import { allowAnyOrigin, allowOrigins } from "../middleware/cross-origin.ts";
import { createRouter } from "../middleware/router.ts";
import { createCalendar } from "./calendar.ts";
import { createClaims } from "./claim.ts";
import { createDeviceAnswers } from "./device-answers.ts";
import { createCheckAnswers } from "./join-check.ts";
import { createAdmissionAnswer } from "./links/admission.ts";
import { createBypass } from "./links/bypass.ts";
import { createDrawPages } from "./links/draw.ts";
import { createEnter } from "./links/enter.ts";
import { createIdentityLinks } from "./links/identity.ts";
import { createLeave } from "./links/leave.ts";
import { createMove } from "./links/move.ts";
import type { VisitorParts } from "./parts.ts";
import { createPush } from "./push.ts";
import { tellStatus } from "./status.ts";
import { createTickets, type Presented } from "./tickets.ts";

type Handler = (ctx: Context, room: WaitingRoom) => unknown;

/** What visitors' pages and apps ask: the room's status, and their own place; and the links to a room. */
export function publicRoutes(parts: VisitorParts): Router {
  const { issuer, rooms, sitesOf } = parts;
  const router = createRouter("/rooms/:room");
  const tickets = createTickets(parts);
  const claims = createClaims(parts);
  const draw = createDrawPages(parts);
  const bypass = createBypass(parts);
  const move = createMove(parts);
  const leave = createLeave(parts);
  const identity = createIdentityLinks(parts);
  const push = createPush(parts);

  const inRoom = (handler: Handler) => (ctx: Context) => {
    const room = rooms.get(ctx.params.room);
    if (room === undefined) throw new UsherError("unknown_room", "there is no room of this name");
    return handler(ctx, room);
  };
  const page = (method: "GET" | "POST", path: string, handler: Handler) =>
    router.register(path, [method], inRoom(handler));
  /** For the scripts of these origins. */
  const script = (method: "GET" | "POST" | "DELETE", path: string, handler: Handler, allow = allowAnyOrigin) =>
    router.register(path, ["OPTIONS", method], [allow, inRoom(handler)]);
  const ofHolder =
    (handler: (ctx: Context, room: WaitingRoom, presented: Presented) => unknown): Handler =>
    (ctx, room) =>
      handler(ctx, room, tickets.presented(ctx, room));

  script("GET", "/status", tellStatus);
  // Else any page that a visitor opens could take places from their address.
  const allowJoin = allowOrigins(
    (ctx, origin) => origin === issuer || sitesOf(ctx.params.room).allowedOrigins.includes(origin),
  );
  script("POST", "/tickets", tickets.join, allowJoin);
  script("GET", "/tickets/me", ofHolder(tickets.tell));
  script("DELETE", "/tickets/me", ofHolder(tickets.leave));
  script("POST", "/tickets/me/claim", ofHolder(claims.claim));
  script("POST", "/tickets/me/token", (ctx, room) => claims.exchange(ctx, room, tickets.presented(ctx, room, false)));
  script("GET", "/tickets/me/receipt", ofHolder(draw.tellReceipt));
  script("POST", "/tickets/me/push", ofHolder(push.subscribe));
  script("DELETE", "/tickets/me/push", ofHolder(push.unsubscribe));
  page("POST", "/rejoin", tickets.rejoin);
  page("POST", "/check", createCheckAnswers(parts));
  page("POST", "/device", createDeviceAnswers(parts));

  script("POST", "/admission", createAdmissionAnswer(parts));

  script("GET", "/push", push.tellKey);
  page("GET", "/push/worker.js", push.worker);
  script("GET", "/calendar.ics", createCalendar(parts));

  script("GET", "/draw", draw.show);
  page("GET", "/draw/checker.js", draw.checker);

  page("GET", "/while-waiting", parts.responder.whileWaiting("page"));
  page("GET", "/while-waiting/part", parts.responder.whileWaiting("part"));

  page("GET", "/enter", createEnter(parts));

  page("GET", "/identity/start", identity.start);
  page("GET", "/identity/callback", identity.callback);

  page("GET", "/bypass", bypass.show);
  page("POST", "/bypass", bypass.claim);

  page("GET", "/move", move.show);
  page("POST", "/move/here", move.take);
  script("POST", "/move", ofHolder(move.offer));
  script("GET", "/move/state", ofHolder(move.tellState));

  page("GET", "/leave", leave.byLink);
  page("POST", "/leave", leave.byButton);

  return router;
}
