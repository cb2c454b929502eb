/** What is chosen by name in several places: the names, and their types. */
import { memberOf } from "../../lib/json.ts";

export const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export const RESPONSE_MODES = ["query", "fragment", "form_post"] as const;
export type ResponseMode = (typeof RESPONSE_MODES)[number];

/** What operators may do: each role has all that the one before it has. */
export const ROLES = ["viewer", "box_office", "operator", "admin"] as const;
export type Role = (typeof ROLES)[number];

/** Steps that may be made to take the word of two people. */
export const FOUR_EYES_STEPS = ["end", "passthrough", "reset"] as const;
export type FourEyesStep = (typeof FOUR_EYES_STEPS)[number];

/** What ID tokens may be signed with (RFC 7518, section 3.1). */
export const SIGNING_ALGS = ["RS256", "PS256", "ES256"] as const;
export type SigningAlg = (typeof SIGNING_ALGS)[number];

/** Claims beside those of the scope `openid`. `email` is a synthetic address, `email_verified` is false. */
export const EXTRA_CLAIMS = ["email", "email_verified"] as const;
export type ExtraClaim = (typeof EXTRA_CLAIMS)[number];

/** How many logins a relying party remembers that it has begun in one browser: only the newest, or several. */
export const REMEMBERED_LOGINS = ["one", "many"] as const;
export type RememberedLogins = (typeof REMEMBERED_LOGINS)[number];

/** How clients authenticate at the token endpoint (OpenID Connect Core 1.0, section 9). */
export const CLIENT_AUTH_METHODS = ["none", "client_secret_basic", "client_secret_post", "private_key_jwt"] as const;

const SECRETLESS: Readonly<Record<string, string>> = {
  none: "a public client (token_endpoint_auth_method: none) has no secret",
  private_key_jwt: "a client with a key of its own (token_endpoint_auth_method: private_key_jwt) has no secret",
};

/** Says that a client of this `token_endpoint_auth_method` has no secret; null for one that has. */
export function secretlessReason(method: unknown): string | null {
  return memberOf(SECRETLESS, String(method)) ?? null;
}
