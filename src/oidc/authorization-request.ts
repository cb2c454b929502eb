import { parse } from "node:querystring";
import type { ClientConfig } from "../config/config.ts";
import { hashRequest } from "../waiting-room/index.ts";
import type { EntryRequest } from "./gate-visit.ts";

/** An authorization request that the waiting room may act on. */
export interface AuthorizationRequest extends EntryRequest {
  readonly client: ClientConfig;
  /** `prompt=none`: never a page. */
  readonly isSilent: boolean;
  /** Not verified yet. */
  readonly idTokenHint: string | null;
}

/** A page of ours from which the visitor joins (again) adds this to the query. */
const freshStartMark = "usher_join=1";

/** Longer queries are refused: they would not fit the relying party's own limits either. */
export const maxQueryLength = 16_384;

/** What oidc-provider knows as we configure it; the rest it ignores (its lib/consts/param_list.js). */
const knownParameters = [
  "acr_values",
  "claims_locales",
  "client_id",
  "code_challenge",
  "code_challenge_method",
  "display",
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
type KnownParameter = (typeof knownParameters)[number];

const knownPrompts = new Set(["none", "login", "consent", "select_account"]);
const noPrompts: ReadonlySet<string> = new Set();
const knownResponseModes = new Set(["query", "fragment", "form_post"]);
/** RFC 6749 3.3. */
const scopePattern = /^[\x21\x23-\x5B\x5D-\x7E]+(?: [\x21\x23-\x5B\x5D-\x7E]+)*$/;
const codeChallengePattern = /^[A-Za-z0-9._~-]{43,128}$/;

/**
 * Reads a request that oidc-provider would accept; null for all others, which are left to it to answer as the
 * specification says: an error at the redirect URI, or on a page where no redirect is safe.
 */
export function readAuthorizationRequest(
  rawQuery: string,
  clients: ReadonlyMap<string, ClientConfig>,
): AuthorizationRequest | null {
  const isFreshStart = rawQuery.endsWith(`&${freshStartMark}`);
  const query = isFreshStart ? rawQuery.slice(0, -freshStartMark.length - 1) : rawQuery;
  const parameters = parse(query);
  for (const name of knownParameters) if (Array.isArray(parameters[name])) return null;
  // RFC 6749 3.1: a parameter without a value counts as left out.
  const read = (name: KnownParameter) => (parameters[name] as string | undefined) || undefined;

  const client = clients.get(read("client_id") ?? "");
  if (client === undefined) return null;
  if (!client.redirectUris.includes(read("redirect_uri") ?? "")) return null;
  if (!/^code(?: code)*$/.test(read("response_type") ?? "")) return null;
  if (read("request") !== undefined || read("request_uri") !== undefined) return null;
  if (read("registration") !== undefined) return null;
  if (!knownResponseModes.has(read("response_mode") ?? "query")) return null;
  if (!isScopeAcceptable(read("scope") ?? "")) return null;
  if (!isCodeChallengeAcceptable(client, read("code_challenge"), read("code_challenge_method"))) return null;
  const maxAge = Number(read("max_age") ?? 0);
  if (!Number.isSafeInteger(maxAge) || maxAge < 0) return null;

  const prompt = read("prompt");
  const prompts = prompt === undefined ? noPrompts : new Set(prompt.split(" "));
  for (const each of prompts) if (!knownPrompts.has(each)) return null;
  const isSilent = prompts.has("none");
  if (isSilent && prompts.size > 1) return null;
  const idTokenHint = read("id_token_hint") ?? null;
  return {
    client,
    hash: hashRequest(query),
    address: `/authorize?${query}`,
    isFreshStart,
    rememberedMs: client.loginTimeoutMs,
    restartUri: client.initiateLoginUri,
    isSilent,
    idTokenHint,
  };
}

/**
 * An address at which whoever holds no ticket joins, even coming from a page of ours.
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
