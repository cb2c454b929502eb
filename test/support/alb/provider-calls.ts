/** What the load balancer asks of the provider behind the visitor's back, and what it makes of the answers. */
import { decodeJwt } from "jose";
import type { HttpClient } from "../http-client.ts";
import { AlbError, type AuthenticateOidcConfig } from "./config.ts";

/** "Greater than 11K in size": claims and access token together (guide, "Authentication flow", step 4). */
const CLAIMS_BYTES_MAX = 11 * 1_024;

export interface ProviderSession {
  readonly claims: Record<string, unknown>;
  readonly accessToken: string;
  /** When the access token expires; undefined where the provider does not say. */
  readonly expiresMs: number | undefined;
  readonly refreshToken: string | undefined;
}

export interface ProviderCalls {
  /** Redeems a code. Throws an AlbError. */
  redeem(config: AuthenticateOidcConfig, code: string, redirectUri: string): Promise<ProviderSession>;
  /** Undefined when the provider refuses. */
  refresh(config: AuthenticateOidcConfig, refreshToken: string): Promise<ProviderSession | undefined>;
}

export interface ProviderCallsOptions {
  http: HttpClient;
  /**
   * How the client secret is sent. Not documented; in the body as far as is known, so the default is `post`.
   */
  tokenAuthentication: "post" | "basic";
  now: () => number;
}

interface TokenResponse {
  access_token?: string;
  id_token?: string;
  refresh_token?: string;
  expires_in?: number;
}

export function createProviderCalls({ http, tokenAuthentication, now }: ProviderCallsOptions): ProviderCalls {
  /** The token endpoint's answer; undefined unless it is a success. */
  async function askForTokens(
    config: AuthenticateOidcConfig,
    form: URLSearchParams,
  ): Promise<TokenResponse | undefined> {
    const headers: Record<string, string> = { accept: "application/json" };
    const { clientId, clientSecret } = config;
    if (tokenAuthentication === "post") {
      form.set("client_id", clientId);
      form.set("client_secret", clientSecret);
    } else {
      // RFC 6749 2.3.1: both parts are form-encoded first.
      const credentials = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
      headers.authorization = `Basic ${Buffer.from(credentials).toString("base64")}`;
    }
    const response = await http.request(config.tokenEndpoint, { method: "POST", headers, body: form });
    return response.status === 200 ? (response.json() as TokenResponse) : undefined;
  }

  /** "It exchanges the access token with the IdP user info endpoint to get the user claims" (the same, step 3). */
  async function fetchClaims(config: AuthenticateOidcConfig, accessToken: string): Promise<Record<string, unknown>> {
    const response = await http.get(config.userInfoEndpoint, { authorization: `Bearer ${accessToken}` });
    if (response.status !== 200) throw new AlbError(401, "AuthUserinfoEpRequestFailed");
    const isJson = response.header("content-type")?.startsWith("application/json");
    const claims = isJson ? (response.json() as Record<string, unknown>) : {};
    if (typeof claims.sub !== "string") throw new AlbError(401, "AuthInvalidUserinfoResponse");
    // Beyond that the client gets HTTP 500 (the same, step 4).
    const bytes = Buffer.byteLength(response.body) + Buffer.byteLength(accessToken);
    if (bytes > CLAIMS_BYTES_MAX) throw new AlbError(500, "AuthUserinfoResponseSizeExceeded");
    return claims;
  }

  function sessionOf(tokens: TokenResponse, claims: Record<string, unknown>): ProviderSession {
    const { access_token: accessToken = "", expires_in: expiresInSec, refresh_token: refreshToken } = tokens;
    return {
      claims,
      accessToken,
      expiresMs: expiresInSec === undefined ? undefined : now() + expiresInSec * 1_000,
      refreshToken,
    };
  }

  return {
    async redeem(config, code, redirectUri) {
      const form = new URLSearchParams({ grant_type: "authorization_code", code, redirect_uri: redirectUri });
      const tokens = await askForTokens(config, form);
      if (tokens === undefined) throw new AlbError(401, "AuthInvalidGrantError");
      // "The requested scope doesn't return an ID token" (errors, "HTTP 401").
      if (!tokens.access_token || !tokens.id_token) throw new AlbError(401, "AuthInvalidTokenResponse");
      const sub = validateIdToken(tokens.id_token, config, now());
      const claims = await fetchClaims(config, tokens.access_token);
      // OpenID Connect Core 5.3.2.
      if (claims.sub !== sub) throw new AlbError(401, "AuthInvalidUserinfoResponse");
      return sessionOf(tokens, claims);
    },

    async refresh(config, refreshToken) {
      const form = new URLSearchParams({ grant_type: "refresh_token", refresh_token: refreshToken });
      const tokens = await askForTokens(config, form);
      if (!tokens?.access_token) return undefined;
      // A provider that does not rotate its refresh tokens may leave them out (RFC 6749 section 6).
      const kept = { refresh_token: refreshToken, ...tokens };
      return sessionOf(kept, await fetchClaims(config, tokens.access_token));
    },
  };
}

/**
 * "After the load balancer validates the ID token" (the same, step 3). The action has no setting for the provider's
 * keys (api), so it goes by the claims; the token came straight from the provider (OpenID Connect Core 3.1.3.7, 6).
 */
function validateIdToken(idToken: string, config: AuthenticateOidcConfig, nowMs: number): string {
  const { iss, aud, exp, sub, nonce } = decodeJwt(idToken);
  const isOurs = iss === config.issuer && [aud].flat().includes(config.clientId);
  const isFresh = exp !== undefined && exp * 1_000 > nowMs;
  // None was sent, and even an empty one is refused (seen by users, not documented).
  const hasNonce = nonce !== undefined;
  if (!isOurs || !isFresh || hasNonce || sub === undefined) throw new AlbError(401, "AuthInvalidIdToken");
  return sub;
}
