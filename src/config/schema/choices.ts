/**
 * What is chosen by name in several places, and what is known of each kind of relying party, as data: the defaults of its clients, of
 * which each can be overridden. Sources: [D] the vendor's documentation, [S] its source; what neither says is on the safe side.
 * docs/relying-parties/README.md shows the same table to operators.
 */
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

/** What ID tokens may be signed with (RFC 7518, section 3.1; RFC 8037, section 3.1). */
export const SIGNING_ALGS = ["RS256", "PS256", "ES256", "EdDSA"] as const;
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

export type SecretMethod = "client_secret_basic" | "client_secret_post";

export interface Profile {
  /** A little less than the time the relying party itself remembers a login it has begun. */
  readonly loginTimeoutMs: number;
  /** How it authenticates at the token endpoint; null where nobody says. A secret is taken either way. */
  readonly tokenEndpointAuthMethod: SecretMethod | null;
  /** True for each that is known to be able to send a challenge. */
  readonly requirePkce: boolean;
  /** Whether it uses refresh tokens by default. */
  readonly refreshTokens: boolean;
  /** Claims that it refuses to work without. */
  readonly claims: readonly ExtraClaim[];
  readonly restart: RestartRule;
  /** `many`: tabs may finish their logins in any order. */
  readonly rememberedLogins: RememberedLogins;
}

/** Where a login can be started anew. */
export interface RestartRule {
  /** Path and query at the first redirect URI's origin; null where that is not the site, so that the configuration has to say it. */
  readonly path: string | null;
  /** The query parameter of that path that says where to go after the login; null: there is none. */
  readonly targetParameter: string | null;
  /** Whether it takes third-party-initiated logins (OpenID Connect Core, section 4) at its redirect URI. */
  readonly takesThirdPartyLogin: boolean;
}

const atOrigin: RestartRule = { path: "/", targetParameter: null, takesThirdPartyLogin: false };
const configured: RestartRule = { ...atOrigin, path: null };

/** Of what is not known otherwise. A site that forgets its older login must never get the answer to that. */
const safest: Profile = {
  loginTimeoutMs: 300_000,
  tokenEndpointAuthMethod: "client_secret_basic",
  requirePkce: false,
  refreshTokens: false,
  claims: [],
  restart: atOrigin,
  rememberedLogins: "one",
};

/** What each has otherwise. */
const profiles = {
  generic: {},
  // [D] The client login timeout is 15 minutes, fixed. It renews the user's claims with a refresh token. The action has no
  // setting for PKCE (API reference, AuthenticateOidcActionConfig). One cookie, AWSALBAuthNonce, holds the login.
  alb: { loginTimeoutMs: 840_000, tokenEndpointAuthMethod: "client_secret_post", refreshTokens: true },
  // [D] Cancels after 5 minutes; client_secret_post only; its redirect URI is on the user pool's domain, not the site's. No
  // challenge among the parameters that it sends (developer guide, "OIDC user pool IdP authentication flow").
  cognito: { loginTimeoutMs: 270_000, tokenEndpointAuthMethod: "client_secret_post", restart: configured },
  // [D] OIDCStateTimeout is 300 seconds, OIDCStateMaxNumberOfCookies 7; OIDCPKCEMethod is off unless set, as our guides do. [S] `iss` and
  // `target_link_uri` at the redirect URI start a login; the target has to be on the redirect URI's host.
  apache: {
    loginTimeoutMs: 270_000,
    requirePkce: true,
    restart: { ...atOrigin, takesThirdPartyLogin: true },
    rememberedLogins: "many",
  },
  // [D] cookie-csrf-expire is 15 minutes; one CSRF cookie unless cookie-csrf-per-request; PKCE by code-challenge-method=S256;
  // /oauth2/start?rd=… begins a login. [S] It fails without `email`, and refuses one whose `email_verified` is false, but
  // takes one of which nothing is said (providers/provider_data.go): so nothing is said.
  "oauth2-proxy": {
    loginTimeoutMs: 840_000,
    requirePkce: true,
    claims: ["email"],
    restart: { path: "/oauth2/start", targetParameter: "rd", takesThirdPartyLogin: false },
  },
  // [S] csrf_token_expires_in and code_verifier_token_expires_in are 600 seconds; from 1.34 on it always sends a challenge, and
  // only from 1.37 on it keeps several logins. Its auth_type is URL_ENCODED_BODY by default.
  envoy: { loginTimeoutMs: 570_000, tokenEndpointAuthMethod: "client_secret_post", requirePkce: true },
  // NGINX Plus. [S] The njs implementation keeps its PKCE verifier for 90 seconds. [D] PKCE: `pkce` of ngx_http_oidc_module,
  // `$oidc_pkce_enable` of njs.
  nginx: { loginTimeoutMs: 80_000, tokenEndpointAuthMethod: "client_secret_post", requirePkce: true },
  // The plugin openid-connect-generic, 3.10.3. [S] state_time_limit is 180 seconds, each state is kept by itself; it sends no challenge;
  // email_format `{email}` fails without the claim; force_redirect begins a login whatever its login type. It keeps the refresh token with
  // its session and never uses it; examples/wordpress.php does.
  wordpress: {
    loginTimeoutMs: 160_000,
    tokenEndpointAuthMethod: "client_secret_post",
    refreshTokens: true,
    claims: ["email"],
    restart: { path: "/wp-login.php?force_redirect=1", targetParameter: "redirect_to", takesThirdPartyLogin: false },
    rememberedLogins: "many",
  },
  // As a broker. [D] The realm's login timeout is 30 minutes; PKCE is a switch of the identity provider (pkceEnabled). Its
  // login sessions tell tabs apart.
  keycloak: {
    loginTimeoutMs: 1_740_000,
    tokenEndpointAuthMethod: "client_secret_post",
    requirePkce: true,
    restart: configured,
    rememberedLogins: "many",
  },
  // An enterprise connection. [D] It sends a challenge to a provider that publishes that it takes one (`pkce`: auto), and keeps a login
  // for an hour.
  auth0: {
    loginTimeoutMs: 3_300_000,
    tokenEndpointAuthMethod: "client_secret_post",
    requirePkce: true,
    restart: configured,
  },
  // [D] PKCE is a switch of the identity provider; users are known by their `email`; the redirect URI is on the team's domain.
  // How long it remembers a login is not documented.
  "cloudflare-access": { tokenEndpointAuthMethod: null, requirePkce: true, claims: ["email"], restart: configured },
} satisfies Record<string, Partial<Profile>>;

export type ProfileName = keyof typeof profiles;
export const PROFILE_NAMES = Object.keys(profiles) as [ProfileName, ...ProfileName[]];
export const PROFILES = Object.fromEntries(
  Object.entries(profiles).map(([name, differing]) => [name, { ...safest, ...differing }]),
) as Readonly<Record<ProfileName, Profile>>;

const VERIFIED_ALGS: Readonly<Record<string, readonly SigningAlg[]>> = {
  // [D] Keys are RSA, and tokens RS256.
  cognito: ["RS256"],
};

/** What a relying party of this profile can verify; null where it takes what it finds at the provider. */
export function verifiedAlgs(profile: unknown): readonly SigningAlg[] | null {
  return memberOf(VERIFIED_ALGS, String(profile)) ?? null;
}
