import { parse } from "node:querystring";
import { type ClientConfig, TARGET_PLACEHOLDER } from "../../config/index.ts";
import { createTargetList } from "../../lib/link-target.ts";
import { hashRequest, loginOf, nameSeries, rememberRequest, type SeenRequest } from "../../room/index.ts";
import { type PushedParameters, pushedRequestMs } from "../provider/pushed-requests.ts";

/** What a visitor came for: a login that a relying party has begun, or a link to follow. */
export interface EntryRequest {
  /** Names it; the same for every reload. */
  readonly hash: string;
  /** What is recorded of it with the admission: the hash, or more (see `loginOf`). */
  readonly login: string;
  /** Whether the same one is answered any number of times, as a link is; a login is answered once. */
  readonly isRepeatable?: boolean;
  /** Of the client that sent the visitor; absent for a link. */
  readonly clientId?: string;
  /** Where it is asked for, path and query, without our own mark. */
  readonly address: string;
  /** Whether one of our pages sent the visitor to join, so that a missing ticket says nothing. */
  readonly isFreshStart: boolean;
  /** How long the sender of the visitor remembers the request, in milliseconds; null for a link, which never expires. */
  readonly rememberedMs: number | null;
  /** Names the series of requests of which the sender remembers only the newest; absent where each is remembered. */
  readonly series?: string;
  /** Where a fresh one is begun, used verbatim. */
  readonly restartUri: string;
}

/** The requests of a visitor with this one among them, if its age matters. */
export function withRequest(
  requests: readonly SeenRequest[],
  { hash, rememberedMs, series }: EntryRequest,
  firstSeenMs: number,
): readonly SeenRequest[] {
  return rememberedMs === null ? requests : rememberRequest(requests, hash, firstSeenMs, series);
}

/** An authorization request that the waiting room may act on. */
export interface AuthorizationRequest extends EntryRequest {
  readonly client: ClientConfig;
  /** Id of the room that it names, one of the client's; else the client's first. */
  readonly roomId: string;
  /** `prompt=none`: never a page. */
  readonly isSilent: boolean;
  /** Not verified yet. */
  readonly idTokenHint: string | null;
  /** Any other parameter; see `Arrival`. Not verified. */
  parameter(name: string): { readonly value: string; readonly plain: string | null } | null;
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
const providerParameters = [
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
export const usherParameters = ["room", "target_link_uri", "invitation"] as const;
type SupportedParameter = (typeof providerParameters)[number] | (typeof usherParameters)[number];

const supportedPrompts = new Set(["none", "login", "consent", "select_account"]);
const supportedResponseModes = ["query", "fragment", "form_post"];
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
  for (const name of providerParameters) if (Array.isArray(sent[name])) return null;
  const { client_id, room, target_link_uri } = sent;
  const parameters = pushed === undefined ? sent : { client_id, room, target_link_uri, ...pushed };
  // RFC 6749 3.1: a parameter without a value counts as left out.
  const read = (name: SupportedParameter) => (parameters[name] as string | undefined) || undefined;

  const registered = clients.get(read("client_id") ?? "");
  if (registered === undefined || read("client_id") !== client_id) return null;
  const { client, start, series } = registered;
  if (client.requirePushedAuthorizationRequests && pushed === undefined) return null;
  if (pushed !== null && !isAcceptable(client, read)) return null;

  const prompts = new Set(read("prompt")?.split(" "));
  for (const prompt of prompts) if (!supportedPrompts.has(prompt)) return null;
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
    parameter: (name) => parameterIn(query, name, sent[name], parameters[name]),
  };
}

function parameterIn(query: string, name: string, sent: unknown, pushed: unknown) {
  if (typeof sent === "string") return { value: sent, plain: `/authorize?${withoutParameter(query, name)}` };
  return typeof pushed === "string" ? { value: pushed, plain: null } : null;
}

/** A pushed request is old as soon as oidc-provider takes it no more, however long its client remembers the login. */
function rememberedMs({ loginTimeoutMs }: ClientConfig, pushed: PushedParameters | null | undefined): number {
  if (pushed === undefined) return loginTimeoutMs;
  return pushed === null ? 0 : Math.min(loginTimeoutMs, pushedRequestMs);
}

function isAcceptable(client: ClientConfig, read: (name: SupportedParameter) => string | undefined): boolean {
  if (!client.redirectUris.includes(read("redirect_uri") ?? "")) return false;
  if (!/^code(?: code)*$/.test(read("response_type") ?? "")) return false;
  if (read("request") ?? read("request_uri") ?? read("registration")) return false;
  const responseMode = read("response_mode") ?? "query";
  const responseModes: readonly string[] = client.responseModes ?? supportedResponseModes;
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

/**
 * Where a fresh login of one client is started in a room, for a visitor who wants to go to a target, if the request did say; null
 * for a target that the client does not list. The address is used verbatim; only the target, if it has a place in it, is filled in. Third-party-initiated login adds
 * `iss` and `target_link_uri`, no `login_hint`: the visitor is known by a cookie, and their `sub` is kept out of logs.
 */
export function createLoginStart(client: ClientConfig, issuer: string) {
  const { targetLinkUris, redirectUris, thirdPartyLogin, initiateLoginUri, initiateLoginUris } = client;
  const findTarget = createTargetList(targetLinkUris);
  const firstPage = targetLinkUris.find((uri) => !uri.endsWith("/*"));
  const usualTarget = firstPage ?? `${new URL(redirectUris[0] ?? "").origin}/`;

  return (room: string, target?: string): string | null => {
    // What was compared is what is sent on, letter by letter.
    const found = target === undefined ? usualTarget : findTarget(target);
    if (found === null) return null;
    const ofRoom = Object.hasOwn(initiateLoginUris, room) ? initiateLoginUris[room] : undefined;
    const start = ofRoom ?? initiateLoginUri;
    if (!thirdPartyLogin) return start.replaceAll(TARGET_PLACEHOLDER, encodeURIComponent(found));
    const added = new URLSearchParams({ iss: issuer, target_link_uri: found });
    return `${start}${start.includes("?") ? "&" : "?"}${added}`;
  };
}

/** A query without a parameter, whose other ones stay as they were written. */
export function withoutParameter(query: string, name: string): string {
  return query
    .split("&")
    .filter((parameter) => parameter !== name && !parameter.startsWith(`${name}=`))
    .join("&");
}

/** The parameter `theme` of a query: a name of a theme, or what can be one. What can't is none. */
export function themeNameOf(query: string): string | undefined {
  if (!query.includes("theme=")) return undefined;
  const name = new URLSearchParams(query).get("theme") ?? "";
  return /^[a-z0-9][a-z0-9-]{0,31}$/.test(name) ? name : undefined;
}

/** More languages than these are no wish any more. */
const tagsMax = 10;
/** Characters of that many, with what separates them. */
const tagsLengthMax = 360;

/**
 * The parameter `ui_locales` of a query (OpenID Connect Core 3.1.2.1, RP-Initiated Logout 1.0 §2): tags, most wanted first,
 * separated by single spaces. What can be no tag is left out; undefined where nothing is left.
 */
export function uiLocalesOf(query: string): string | undefined {
  // Few requests have it, and every waiting page asks.
  if (!query.includes("ui_locales=")) return undefined;
  const written = new URLSearchParams(query).get("ui_locales")?.slice(0, tagsLengthMax) ?? "";
  const tags = written.split(/\s+/).filter((tag) => /^[a-z0-9_-]{1,35}$/i.test(tag));
  return tags.length === 0 ? undefined : tags.slice(0, tagsMax).join(" ");
}
