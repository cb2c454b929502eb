import type { Context, Middleware } from "koa";
import type { ClientDirectory } from "../../registry/index.ts";
import {
  claimedTicket,
  mayClaim,
  type Ticket,
  type WaitingRoom,
  type WaitingRooms,
  withoutOldPlace,
} from "../../room/index.ts";
import type { OidcProvider } from "../provider/provider.ts";
import { createPushedRequests } from "../provider/pushed-requests.ts";
import { type AuthorizationRequest, knowClients, readAuthorizationRequest } from "./authorization-request.ts";
import type { GateEntry, GateEntryOptions } from "./gate-entry.ts";
import { refusals } from "./gate-responder.ts";
import { type Visit, withThisRequest } from "./gate-visit.ts";
import type { LoginRefusal, LoginVerdict, LoginVerdicts } from "./login-verdicts.ts";
import { classifyRequest, comesFromPageOf } from "./navigation.ts";

export interface GateOptions extends Pick<GateEntryOptions, "cookies" | "responder" | "joinAddressOf" | "clock"> {
  readonly issuer: string;
  readonly entry: GateEntry;
  readonly clients: ClientDirectory;
  readonly rooms: WaitingRooms;
  readonly verdicts: LoginVerdicts;
  readonly readIdTokenHint: OidcProvider["readIdTokenHint"];
  readonly readPushedRequest: OidcProvider["readPushedRequest"];
}

/**
 * The gate runs before oidc-provider's authorization endpoint (GET). It parks visitors who may not enter yet, makes the
 * claim for those who may, and then passes the request on; requests that oidc-provider would refuse pass too, to be
 * answered there. Waiting visitors cost the store nothing.
 */
export function createGate(options: GateOptions): Middleware {
  const { entry, rooms, cookies, verdicts, readIdTokenHint, responder, joinAddressOf } = options;
  const knownClients = options.clients.derive((clients) => knowClients(clients, options.issuer));

  const readPushed = createPushedRequests(options.readPushedRequest);

  return async function gate(ctx, next) {
    const pushed = ctx.querystring.includes("request_uri=") ? await readPushed(ctx.querystring) : undefined;
    const request = readAuthorizationRequest(ctx.querystring, knownClients(), pushed);
    if (request === null) return next();
    if ("refusal" in request) return responder.notice(ctx, { status: 400, code: request.refusal, room: null });
    const room = rooms.get(request.roomId);
    if (room === undefined) return next();

    const kind = classifyRequest(ctx.req);
    if (!request.isSilent && kind !== "navigation") return responder.notice(ctx, { ...refusals[kind], room });
    if (request.idTokenHint !== null && !(await namesTheVisitor(ctx, room, request))) {
      verdicts.set(ctx.req, "other_visitor");
      return next();
    }

    const visit: Visit = {
      ctx,
      request: withOtherRooms(ctx, request),
      room,
      isFromOurPage: comesFromPageOf(options.issuer, ctx.req),
      newTicket: null,
      isCookieUnreadable: false,
    };
    if (request.isSilent) {
      const verdict = kind === "head" || kind === "prefetch" ? undefined : await claimSilently(visit);
      if (verdict !== undefined) verdicts.set(ctx.req, verdict);
      entry.keepTicket(visit);
      return next();
    }
    const admission = await entry.claim(visit);
    entry.keepTicket(visit);
    if (admission === null) return;
    verdicts.set(ctx.req, { room: room.id, sub: admission.sub, login: request.login ?? request.hash });
    return next();
  };

  /**
   * Whether the `id_token_hint` is of this visitor. Any other visitor must get an error in the end (OpenID Connect Core
   * 3.1.2.1), and so gets it before the wait, and before a login is counted.
   */
  async function namesTheVisitor(ctx: Context, room: WaitingRoom, request: AuthorizationRequest): Promise<boolean> {
    const sub = await readIdTokenHint(request.idTokenHint ?? "", request.client.clientId);
    const presented = room.read(cookies.readTicket(ctx.req, room.id));
    return presented.kind === "ticket" && presented.ticket.sub === sub;
  }

  /** A client that remembers one login remembers it for all of its rooms. */
  function withOtherRooms(ctx: Context, request: AuthorizationRequest): AuthorizationRequest {
    const others = request.client.rooms.filter((id) => id !== request.roomId);
    if (request.series === undefined || others.length === 0) return request;
    const seenIn = (id: string) => {
      const presented = rooms.get(id)?.read(cookies.readTicket(ctx.req, id));
      return presented?.kind === "ticket" ? presented.ticket.requests : [];
    };
    return { ...request, seenElsewhere: () => others.flatMap(seenIn) };
  }

  /** Where one login is remembered, a silent one takes the place of that which waits in another tab. */
  function noteNewest(visit: Visit, ticket: Ticket): Ticket {
    if (visit.request.series === undefined) return ticket;
    visit.newTicket = { ...ticket, requests: withThisRequest(ticket.requests, visit, options.clock.now()) };
    return visit.newTicket;
  }

  /**
   * `prompt=none` never joins and never shows a page. An admitted visitor stays logged in, and a visitor whose turn it
   * is enters. All others are refused, even where everybody passes: neither a new visitor nor one who has logged out
   * enters before they come by themselves. Undefined where there is a page to show, or the answer is unknown.
   */
  async function claimSilently(visit: Visit): Promise<LoginVerdict | LoginRefusal | undefined> {
    const { ctx, request, room } = visit;
    const presented = room.read(cookies.readTicket(ctx.req, room.id));
    if (presented.kind === "unknown_key" || room.state === null) return undefined;
    if (presented.kind === "none") return "not_logged_in";
    const ticket = noteNewest(visit, withoutOldPlace(room, presented.ticket));
    const isInLine = ticket.position > 0 && ticket.claim === null && room.entrance !== "pass";
    if (!mayClaim(room, ticket)) return isInLine ? "in_line" : "not_logged_in";
    const login = request.login ?? request.hash;
    const result = await room.claim(ticket, login, { address: joinAddressOf(ctx), isSilent: true });
    switch (result.result) {
      case "admitted":
        visit.newTicket = { ...claimedTicket(room, ticket, result.admission), restarts: 0 };
        return { room: room.id, sub: ticket.sub, login };
      case "held":
      case "waiting":
      case "paused":
      case "beyond":
        return isInLine ? "in_line" : "not_logged_in";
      case "answered":
      case "exhausted":
      case "too_many_addresses":
      case "recovering":
      case "away":
        return undefined;
      default:
        return "not_logged_in";
    }
  }
}
