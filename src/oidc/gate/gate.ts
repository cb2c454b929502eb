import type { Context } from "koa";
import { queryOf, requestKindOf } from "../../lib/request.ts";
import { claimedTicket, mayClaim, withoutOldPlace } from "../../room/index.ts";
import type { LoginRefusal, LoginVerdict, OidcParts } from "../parts.ts";
import type { OidcProvider } from "../provider/provider.ts";
import { createPushedRequests, mayBePushed } from "../provider/pushed-requests.ts";
import type { Visit } from "./answers.ts";
import {
  type AuthorizationRequest,
  knowClients,
  readAuthorizationRequest,
  withRequest,
} from "./authorization-request.ts";
import { type GateNotice, type LoginAttempt, refusals } from "./contract.ts";
import { firstRefusal, type GateEntry, type Outcome, type Step } from "./entry.ts";
import { keepTicket, readTicket } from "./visitor-cookies.ts";

/** A visit with an authorization request. */
export interface LoginVisit extends Visit {
  readonly request: AuthorizationRequest;
}

type Read = LoginVisit | "answered" | "passed";

export type Gate = ReturnType<typeof createGate>;

/**
 * The gate before oidc-provider's authorization endpoint (GET), as steps: it parks visitors who may not enter yet, and makes the claim for those
 * who may. Requests that oidc-provider would refuse pass to it, and are answered there. Waiting visitors cost the store nothing.
 */
export function createGate(
  parts: Pick<
    OidcParts,
    "issuer" | "rooms" | "clients" | "cookies" | "verdicts" | "responder" | "joinAddressOf" | "steps" | "clock"
  > & {
    readonly entry: Pick<GateEntry, "begin">;
    readonly provider: Pick<OidcProvider, "readIdTokenHint" | "readPushedRequest">;
  },
) {
  const { entry, provider, rooms, cookies, verdicts, responder, joinAddressOf, steps, clock } = parts;
  const clientsById = parts.clients.derive((clients) => knowClients(clients, parts.issuer));
  const readPushed = createPushedRequests(provider.readPushedRequest);

  return {
    /** Which login of which client it is, and for which room. */
    readRequest(ctx: Context): Read | Promise<Read> {
      const query = queryOf(ctx.req.url ?? "");
      if (!mayBePushed(query)) return readQuery(ctx, query, undefined);
      return readPushed(query).then((pushed) => readQuery(ctx, query, pushed));
    },

    /** Prefetches, previews, frames and the like take no place. */
    refuseOtherThanVisits({ ctx, room, request }: LoginVisit): Outcome {
      const kind = requestKindOf(ctx.method, ctx.headers);
      return request.isSilent || kind === "navigation" ? undefined : answer(ctx, { ...refusals[kind], room });
    },

    /**
     * Whether an `id_token_hint` is of this visitor. Any other visitor must get an error in the end (OpenID Connect Core
     * 3.1.2.1), and so gets it before the wait, and before a login is counted.
     */
    compareHint(visit: LoginVisit): Outcome | Promise<Outcome> {
      const { idTokenHint } = visit.request;
      return idTokenHint === null ? undefined : refuseOtherVisitor(visit, idTokenHint);
    },

    /** `prompt=none`: oidc-provider answers at once, without a page. */
    answerSilently(visit: LoginVisit): Outcome | Promise<Outcome> {
      return visit.request.isSilent ? passSilently(visit) : undefined;
    },

    /** The steps before a visit: an invitation in the address is taken out of it. */
    visitSteps: steps.beforeVisit.map(
      (step): Step<LoginVisit> =>
        ({ ctx, room, request }) =>
          step({ ctx, room, parameter: request.parameter }),
    ),

    /** Tells the policy inside oidc-provider whose login it is, for it to verify. */
    logIn({ ctx, room, request, admission, grant }: LoginVisit): Outcome {
      if (admission === null) throw new TypeError("a visit ends with an admission, or with an answer");
      const away = admission.via === "away" ? { away: admission } : {};
      verdicts.set(ctx.req, { room: room.id, sub: admission.sub, login: request.login, grant, ...away });
      return "passed";
    },
  };

  function readQuery(ctx: Context, query: string, pushed: Awaited<ReturnType<typeof readPushed>>): Read {
    const request = readAuthorizationRequest(query, clientsById(), pushed);
    if (request === null) return "passed";
    if ("refusal" in request) return answer(ctx, { status: 400, code: request.refusal, room: null });
    const room = rooms.get(request.roomId);
    if (room === undefined) return "passed";
    return entry.begin(ctx, room, request, () => requestsElsewhere(ctx, request));
  }

  async function refuseOtherVisitor({ ctx, room, request }: LoginVisit, hint: string): Promise<Outcome> {
    const sub = await provider.readIdTokenHint(hint, request.client.clientId);
    const presented = readTicket(cookies, room, ctx.req);
    if (presented.kind === "ticket" && presented.ticket.sub === sub) return undefined;
    verdicts.set(ctx.req, "other_visitor");
    return "passed";
  }

  async function passSilently(visit: LoginVisit): Promise<Outcome> {
    const kind = requestKindOf(visit.ctx.method, visit.ctx.headers);
    const verdict = kind === "head" || kind === "prefetch" ? undefined : await claimSilently(visit);
    if (verdict !== undefined) verdicts.set(visit.ctx.req, verdict);
    return "passed";
  }

  function answer(ctx: Context, notice: GateNotice): "answered" {
    responder.notice(ctx, notice);
    return "answered";
  }

  /** A client that remembers one login remembers it for all of its rooms. */
  function requestsElsewhere(ctx: Context, { client, roomId, series }: AuthorizationRequest) {
    if (series === undefined) return [];
    return client.rooms.flatMap((id) => {
      const room = id === roomId ? undefined : rooms.get(id);
      const presented = room && readTicket(cookies, room, ctx.req);
      return presented?.kind === "ticket" ? presented.ticket.requests : [];
    });
  }

  /**
   * A silent request never joins. An admitted visitor stays logged in, and a visitor whose turn it is enters. All others are refused, even in a
   * room that everybody passes: a new visitor, or one who has logged out, enters by a visit of their own alone. Undefined if a page has to
   * be shown, or the store does not answer.
   */
  async function claimSilently({ ctx, room, request }: LoginVisit): Promise<LoginVerdict | LoginRefusal | undefined> {
    const presented = readTicket(cookies, room, ctx.req);
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
    const attempt: LoginAttempt = { ctx, room, by: "silent", address: request.address, ticket, grant: {} };
    if ((await firstRefusal(steps.beforeLogin, attempt)) !== null) return "not_logged_in";
    const { login } = request;
    const { grant } = attempt;
    const result = await room.claim(ticket, login, { address: joinAddressOf(ctx), isSilent: true });
    switch (result.result) {
      case "admitted":
        ticket = { ...claimedTicket(room, ticket, result.admission), restarts: 0 };
        keep();
        return { room: room.id, sub: ticket.sub, login, grant };
      case "let_in":
        ticket = { ...ticket, restarts: 0 };
        keep();
        return { room: room.id, sub: ticket.sub, login, grant, away: result.admission };
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
}
