import { parse } from "node:querystring";
import type { ClientConfig } from "../../config/resolve/config.ts";
import { hashRequest, loginOf, nameSeries } from "../../room/index.ts";
import { type PushedParameters, pushedRequestMs } from "../provider/pushed-requests.ts";
import { withoutParameter } from "./invitation-links.ts";
import { createLoginStart } from "./login-start.ts";
import type { EntryRequest } from "./visit.ts";

/** An authorization request that the waiting room may act on. */
export interface AuthorizationRequest extends EntryRequest {
  readonly client: ClientConfig;
  /** Id of the room that it names, one of the client's; else the client's first. */
  readonly roomId: string;
  /** `prompt=none`: never a page. */
  readonly isSilent: boolean;
  /** Not verified yet. */
  readonly idTokenHint: string | null;
  /** Not verified yet; and the address without it, null where it was pushed. */
  readonly invitation: { readonly token: string; readonly plain: string | null } | null;
}

/** Clients by their ids, each with what is the same for all of its requests. */
export function knowClients(clients: readonly ClientConfig[], issuer: string) {
  return new Map(
    clients.map((client) => {
      const series = client.rememberedLogins === "one" ? nameSeries(client.clientId) : undefined;
      return [client.clientId, { client, start: createLoginStart(client, issuer), series }];
    }),
  );
}

/** A page of this issuer from which the visitor joins (again) adds this to the query. */
export const freshStartMark = "usher_join=1";

/** What oidc-provider knows as we configure it; the rest it ignores (its lib/consts/param_list.js). */
const knownParameters = [
  "acr_values",
  "claims_locales",
  "client_id",
  "code_challenge",
  "code_challenge_method",
  "display",
  "dpop_jkt",
  "id_token_hint",
  "login_hint",
  "max_age",
  "nonce",
  "prompt",
  "redirect_uri",
  "registration",
  "request",
  "request_uri",
  "response_mode",
  "response_type",
  "scope",
  "state",
  "ui_locales",
] as const;
/** Ours alone; the provider ignores them. */
export const ownParameters = ["room", "target_link_uri", "invitation"] as const;
type KnownParameter = (typeof knownParameters)[number] | (typeof ownParameters)[number];

const knownPrompts = new Set(["none", "login", "consent", "select_account"]);
const knownResponseModes = ["query", "fragment", "form_post"];
/** RFC 6749 3.3. */
const scopePattern = /^[\x21\x23-\x5B\x5D-\x7E]+(?: [\x21\x23-\x5B\x5D-\x7E]+)*$/;
const codeChallengePattern = /^[A-Za-z0-9._~-]{43,128}$/;

/**
 * Reads a request that oidc-provider would accept; null for all others, which are left to it to answer as the
 * specification says: an error at the redirect URI, or on a page where no redirect is safe.
 *
 * @param pushed what the client has pushed ahead, if the query names that; null where nobody knows it any more. Then all that
 *   can be said is that it is too old: its visitor keeps the place, and begins a fresh login when it is their turn.
 * @returns a `refusal` of a request that names what is not on the client's list: a fault of its configuration, or an attack. Never
 *   redirected.
 */
export function readAuthorizationRequest(
  rawQuery: string,
  clients: ReturnType<typeof knowClients>,
  pushed?: PushedParameters | null,
): AuthorizationRequest | { readonly refusal: "unknown_room" | "unknown_target" } | null {
  const isFreshStart = rawQuery.endsWith(`&${freshStartMark}`);
  const query = isFreshStart ? rawQuery.slice(0, -freshStartMark.length - 1) : rawQuery;
  const sent = parse(query);
  for (const name of knownParameters) if (Array.isArray(sent[name])) return null;
  const { client_id, room, target_link_uri } = sent;
  const parameters = pushed === undefined ? sent : { client_id, room, target_link_uri, ...pushed };
  // RFC 6749 3.1: a parameter without a value counts as left out.
  const read = (name: KnownParameter) => (parameters[name] as string | undefined) || undefined;

  const known = clients.get(read("client_id") ?? "");
  if (known === undefined || read("client_id") !== client_id) return null;
  const { client, start, series } = known;
  if (client.requirePushedAuthorizationRequests && pushed === undefined) return null;
  if (pushed !== null && !isAcceptable(client, read)) return null;

  const prompts = new Set(read("prompt")?.split(" "));
  for (const each of prompts) if (!knownPrompts.has(each)) return null;
  const isSilent = prompts.has("none");
  if (isSilent && prompts.size > 1) return null;
  const roomId = Array.isArray(parameters.room) ? undefined : (read("room") ?? client.rooms[0]);
  if (roomId === undefined || !client.rooms.includes(roomId)) return { refusal: "unknown_room" };
  const restartUri = Array.isArray(parameters.target_link_uri) ? null : start(roomId, read("target_link_uri"));
  if (restartUri === null) return { refusal: "unknown_target" };
  const hash = hashRequest(query);
  return {
    client,
    roomId,
    clientId: client.clientId,
    hash,
    login: client.backchannelLogoutUri === undefined ? hash : loginOf(hash, client.clientId),
    address: `/authorize?${query}`,
    isFreshStart,
    rememberedMs: rememberedMs(client, pushed),
    restartUri,
    ...(series !== undefined && { series }),
    isSilent,
    idTokenHint: read("id_token_hint") ?? null,
    invitation: invitationIn(query, sent.invitation, parameters.invitation),
  };
}

function invitationIn(query: string, sent: unknown, given: unknown): AuthorizationRequest["invitation"] {
  if (typeof sent === "string") return { token: sent, plain: `/authorize?${withoutParameter(query, "invitation")}` };
  return typeof given === "string" ? { token: given, plain: null } : null;
}

/** A pushed request is old as soon as oidc-provider takes it no more, however long its client remembers the login. */
function rememberedMs({ loginTimeoutMs }: ClientConfig, pushed: PushedParameters | null | undefined): number {
  if (pushed === undefined) return loginTimeoutMs;
  return pushed === null ? 0 : Math.min(loginTimeoutMs, pushedRequestMs);
}

function isAcceptable(client: ClientConfig, read: (name: KnownParameter) => string | undefined): boolean {
  if (!client.redirectUris.includes(read("redirect_uri") ?? "")) return false;
  if (!/^code(?: code)*$/.test(read("response_type") ?? "")) return false;
  if (read("request") ?? read("request_uri") ?? read("registration")) return false;
  const responseMode = read("response_mode") ?? "query";
  const responseModes: readonly string[] = client.responseModes ?? knownResponseModes;
  if (!responseModes.includes(responseMode)) return false;
  if (!isScopeAcceptable(read("scope") ?? "")) return false;
  if (!isCodeChallengeAcceptable(client, read("code_challenge"), read("code_challenge_method"))) return false;
  const maxAge = Number(read("max_age") ?? 0);
  return Number.isSafeInteger(maxAge) && maxAge >= 0;
}

/**
 * An address at which a visitor without a ticket joins, even coming from a page of this issuer.
 *
 * @param address of an authorization request, path and query
 */
export function freshStart(address: string): string {
  return address.endsWith(`&${freshStartMark}`) ? address : `${address}&${freshStartMark}`;
}

/** Other scopes beside `openid` are ignored; without it there is nothing to grant. */
function isScopeAcceptable(scope: string): boolean {
  return scope === "openid" || (scopePattern.test(scope) && scope.split(" ").includes("openid"));
}

/** RFC 7636: S256 only; required for public clients and where the client's settings say so. */
function isCodeChallengeAcceptable(
  client: ClientConfig,
  challenge: string | undefined,
  method: string | undefined,
): boolean {
  if (challenge === undefined) return method === undefined && !client.requirePkce;
  return method === "S256" && codeChallengePattern.test(challenge);
}
