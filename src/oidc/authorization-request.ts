import { parse } from "node:querystring";
import type { ClientConfig } from "../config/config.ts";
import { hashRequest } from "../waiting-room/index.ts";

/** An authorization request that the waiting room may act on. */
export interface AuthorizationRequest {
  readonly client: ClientConfig;
  /** Names the request; the same for every reload of it. */
  readonly hash: string;
  /** The query as the relying party made it, without our own mark. */
  readonly query: string;
  /** Whether one of our pages sent the visitor to join, so that a missing ticket says nothing. */
  readonly isFreshStart: boolean;
  /** `prompt=none`: never a page. */
  readonly isSilent: boolean;
}

/** A page of ours from which the visitor joins (again) adds this to the query. */
export const freshStartMark = "usher_join=1";

/** Longer queries are refused: they would not fit the relying party's own limits either. */
export const maxQueryLength = 16_384;

const parametersThatMayNotRepeat = new Set([
  "client_id",
  "redirect_uri",
  "response_type",
  "response_mode",
  "scope",
  "state",
  "nonce",
  "prompt",
  "max_age",
  "code_challenge",
  "code_challenge_method",
  "id_token_hint",
  "login_hint",
  "ui_locales",
  "acr_values",
  "claims",
]);
const knownPrompts = new Set(["none", "login", "consent", "select_account"]);
const compactJwsPattern = /^[\w-]+\.[\w-]+\.[\w-]*$/;
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
  for (const [name, value] of Object.entries(parameters)) {
    if (Array.isArray(value) && parametersThatMayNotRepeat.has(name)) return null;
  }
  // RFC 6749 3.1: a parameter without a value counts as left out.
  const read = (name: string) => (parameters[name] as string | undefined) || undefined;

  const client = clients.get(read("client_id") ?? "");
  if (client === undefined) return null;
  if (!client.redirectUris.includes(read("redirect_uri") ?? "")) return null;
  if (read("response_type") !== "code") return null;
  if (read("request") !== undefined || read("request_uri") !== undefined) return null;
  const hint = read("id_token_hint");
  if (hint !== undefined && !compactJwsPattern.test(hint)) return null;
  const responseMode = read("response_mode");
  if (responseMode !== undefined && responseMode !== "query" && responseMode !== "form_post") return null;
  if (!isCodeChallengeAcceptable(client, read("code_challenge"), read("code_challenge_method"))) return null;
  const maxAge = read("max_age");
  if (maxAge !== undefined && !/^\d{1,10}$/.test(maxAge)) return null;

  const prompts = read("prompt")?.split(" ") ?? [];
  if (!prompts.every((prompt) => knownPrompts.has(prompt))) return null;
  const isSilent = prompts.includes("none");
  if (isSilent && prompts.length > 1) return null;
  return { client, hash: hashRequest(query), query, isFreshStart, isSilent };
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
