import type { Context } from "koa";
import { queryOf, requestKindOf } from "../../lib/request.ts";
import { claimedTicket, mayClaim, type SeenRequest, type WaitingRoom, withoutOldPlace } from "../../room/index.ts";
import type { LoginRefusal, LoginVerdict, OidcParts } from "../parts.ts";
import type { OidcProvider } from "../provider/provider.ts";
import { createPushedRequests, mayBePushed } from "../provider/pushed-requests.ts";
import { type GateNotice, refusals } from "./answers.ts";
import {
  type AuthorizationRequest,
  knowClients,
  readAuthorizationRequest,
  withRequest,
} from "./authorization-request.ts";
import type { GateEntry } from "./entry.ts";
import type { InvitationLinks } from "./invitation-links.ts";
import { keepTicket, readTicket } from "./visitor-cookies.ts";

interface GateParts
  extends Pick<
    OidcParts,
    | "issuer"
    | "rooms"
    | "clients"
    | "cookies"
    | "verdicts"
    | "responder"
    | "joinAddressOf"
    | "identities"
    | "devices"
    | "clock"
  > {
  readonly entry: GateEntry;
  readonly invitations: InvitationLinks;
  readonly provider: Pick<OidcProvider, "readIdTokenHint" | "readPushedRequest">;
}

/**
 * The gate runs before oidc-provider's authorization endpoint (GET). It parks visitors who may not enter yet, makes the
 * claim for those who may, and then passes the request on; requests that oidc-provider would refuse pass too, to be
 * answered there. Waiting visitors cost the store nothing.
 */
export function createGate(parts: GateParts): (ctx: Context) => Promise<"answered" | "passed"> {
  const {
    entry,
    invitations,
    provider,
    rooms,
    cookies,
    verdicts,
    responder,
    joinAddressOf,
    identities,
    devices,
    clock,
  } = parts;
  const knownClients = parts.clients.derive((clients) => knowClients(clients, parts.issuer));
  const readPushed = createPushedRequests(provider.readPushedRequest);

  return async function gate(ctx) {
    const query = queryOf(ctx.req.url ?? "");
    const pushed = mayBePushed(query) ? await readPushed(query) : undefined;
    const request = readAuthorizationRequest(query, knownClients(), pushed);
    if (request === null) return "passed";
    if ("refusal" in request) return refuse(ctx, { status: 400, code: request.refusal, room: null });
    const room = rooms.get(request.roomId);
    if (room === undefined) return "passed";
    const kind = requestKindOf(ctx.method, ctx.headers);
    if (!request.isSilent && kind !== "navigation") return refuse(ctx, { ...refusals[kind], room });
    if (request.idTokenHint !== null && !(await namesTheVisitor(ctx, room, request))) {
      verdicts.set(ctx.req, "other_visitor");
      return "passed";
    }
    if (request.isSilent) {
      const verdict = kind === "head" || kind === "prefetch" ? undefined : await claimSilently(ctx, room, request);
      if (verdict !== undefined) verdicts.set(ctx.req, verdict);
      return "passed";
    }
    const { invitation } = request;
    if (invitation !== null && (await invitations.take(ctx, room, invitation.token, invitation.plain)))
      return "answered";
    const admission = await entry.claim(ctx, room, request, () => seenElsewhere(ctx, request));
    if (admission === null) return "answered";
    const { sub } = admission;
    const away = admission.via === "away" ? { away: admission } : {};
    const identity = await identities.sealedFor(ctx, room, sub);
    verdicts.set(ctx.req, { room: room.id, sub, login: request.login, identity, ...away });
    return "passed";
  };

  function refuse(ctx: Context, notice: GateNotice): "answered" {
    responder.notice(ctx, notice);
    return "answered";
  }

  /**
   * Whether the `id_token_hint` is of this visitor. Any other visitor must get an error in the end (OpenID Connect Core
   * 3.1.2.1), and so gets it before the wait, and before a login is counted.
   */
  async function namesTheVisitor(ctx: Context, room: WaitingRoom, request: AuthorizationRequest): Promise<boolean> {
    const sub = await provider.readIdTokenHint(request.idTokenHint ?? "", request.client.clientId);
    const presented = read(ctx, room);
    return presented.kind === "ticket" && presented.ticket.sub === sub;
  }

  /** A client that remembers one login remembers it for all of its rooms. */
  function seenElsewhere(ctx: Context, { client, roomId, series }: AuthorizationRequest): readonly SeenRequest[] {
    if (series === undefined) return [];
    return client.rooms.flatMap((id) => {
      const room = id === roomId ? undefined : rooms.get(id);
      const presented = room && read(ctx, room);
      return presented?.kind === "ticket" ? presented.ticket.requests : [];
    });
  }

  /**
   * `prompt=none` never joins and never shows a page. An admitted visitor stays logged in, and a visitor whose turn it
   * is enters. All others are refused, even where everybody passes: neither a new visitor nor one who has logged out
   * enters before they come by themselves. Undefined where there is a page to show, or the answer is unknown.
   */
  async function claimSilently(
    ctx: Context,
    room: WaitingRoom,
    request: AuthorizationRequest,
  ): Promise<LoginVerdict | LoginRefusal | undefined> {
    const presented = read(ctx, room);
    if (presented.kind === "unknown_key" || room.state === null) return undefined;
    if (presented.kind === "none") return "not_logged_in";
    let ticket = withoutOldPlace(room, presented.ticket);
    const keep = () => keepTicket(cookies, room, ctx.res, ticket);
    // Where one login is remembered, a silent one takes the place of that which waits in another tab.
    if (request.series !== undefined) {
      ticket = { ...ticket, requests: withRequest(ticket.requests, request, clock.now()) };
      keep();
    }
    const refusal =
      ticket.position > 0 && ticket.claim === null && room.entrance !== "pass" ? "in_line" : "not_logged_in";
    if (!mayClaim(room, ticket)) return refusal;
    // Nobody is led away to sign in, or shown the page that proves a key.
    if (devices.isAsked(room, ticket)) return "not_logged_in";
    if (!(await identities.isProven(ctx, room, ticket.sub))) return "not_logged_in";
    const { login } = request;
    const identity = await identities.sealedFor(ctx, room, ticket.sub);
    const result = await room.claim(ticket, login, { address: joinAddressOf(ctx), isSilent: true });
    switch (result.result) {
      case "admitted":
        ticket = { ...claimedTicket(room, ticket, result.admission), restarts: 0 };
        keep();
        return { room: room.id, sub: ticket.sub, login, identity };
      case "let_in":
        ticket = { ...ticket, restarts: 0 };
        keep();
        return { room: room.id, sub: ticket.sub, login, identity, away: result.admission };
      case "held":
      case "waiting":
      case "paused":
      case "beyond":
        return refusal;
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

  function read(ctx: Context, room: WaitingRoom) {
    return readTicket(cookies, room, ctx.req);
  }
}
