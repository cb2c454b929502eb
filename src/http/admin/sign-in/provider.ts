/** The organisation's own OpenID Connect provider, at which people sign in. openid-client and jose keep to the specifications. */
import { createRemoteJWKSet, errors, type JWTPayload, customFetch as joseFetch, jwtVerify } from "jose";
import * as client from "openid-client";
import type { SignInConfig } from "../../../config/index.ts";
import { boundedFetch } from "../../../lib/bounded-fetch.ts";
import type { Clock } from "../../../lib/clock.ts";
import { UsherError } from "../../../lib/errors.ts";
import { isObject } from "../../../lib/json.ts";
import type { Claims } from "./claims.ts";
import { reasonOf } from "./reason.ts";

/** What was begun, kept by the browser until it comes back. */
export interface Transaction {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** Whom the provider has logged out. */
export interface LogoutToken {
  readonly jti: string;
  readonly sub: string | null;
  readonly sid: string | null;
  /** Until when such a token would be taken, in milliseconds since 1970. */
  readonly expiresMs: number;
}

export type SignInProvider = ReturnType<typeof createSignInProvider>;

const discoveredForMs = 3_600_000;
const toleranceSec = 30;
/** Seconds; a logout token is sent at once. */
const logoutTokenAgeSec = 300;
const logoutTokenKeptMs = (logoutTokenAgeSec + 2 * toleranceSec) * 1_000;
const idLengthMax = 256;
/** OpenID Connect Back-Channel Logout 1.0, section 2.4. */
const logoutEvent = "http://schemas.openid.net/event/backchannel-logout";
/** Anybody with the client's secret could make a MAC, and anybody at all a token with `none`. */
const algorithms = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];

/** Codes of openid-client and of jose for a provider that answers too late, or with something else than an answer. */
const faultsOfProvider = [
  ...["OAUTH_TIMEOUT", "OAUTH_ABORT", "OAUTH_RESPONSE_IS_NOT_CONFORM", "OAUTH_RESPONSE_IS_NOT_JSON"],
  ...["ERR_JWKS_TIMEOUT", "ERR_JWKS_INVALID", "ERR_JOSE_GENERIC"],
];

/**
 * @param redirectUri that the provider knows of this client
 * @param timeoutSec that each of its answers may take
 */
export function createSignInProvider(config: SignInConfig, redirectUri: string, clock: Clock, timeoutSec = 10) {
  let known: { readonly found: client.Configuration; readonly untilMs: number } | null = null;
  let keys: { readonly uri: string; readonly set: ReturnType<typeof createRemoteJWKSet> } | null = null;

  let asking: Promise<client.Configuration> | null = null;

  /** What was found is asked for again after an hour, and after a failure at once. Many at a time wait for one answer. */
  async function discovered(): Promise<client.Configuration> {
    if (known !== null && clock.now() < known.untilMs) return known.found;
    asking ??= discover().finally(() => {
      asking = null;
    });
    return asking;
  }

  async function discover(): Promise<client.Configuration> {
    const { issuer, clientId, clientSecret, tokenEndpointAuthMethod } = config;
    const isPost = tokenEndpointAuthMethod === "client_secret_post";
    const auth = isPost ? client.ClientSecretPost(clientSecret) : client.ClientSecretBasic(clientSecret);
    const execute = issuer.startsWith("http:") ? [client.allowInsecureRequests] : [];
    const options = { timeout: timeoutSec, execute, [client.customFetch]: boundedFetch };
    const found = await client
      .discovery(new URL(issuer), clientId, undefined, auth, options)
      .catch((cause: unknown) => {
        throw away(cause);
      });
    known = { found, untilMs: clock.now() + discoveredForMs };
    return found;
  }

  return {
    /** The address that the browser is sent to, and what it keeps. @throws UsherError `provider_unavailable` */
    async begin(): Promise<{ readonly url: string; readonly transaction: Transaction }> {
      const found = await discovered();
      const transaction = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      };
      const url = client.buildAuthorizationUrl(found, {
        redirect_uri: redirectUri,
        scope: config.scopes.join(" "),
        state: transaction.state,
        nonce: transaction.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(transaction.verifier),
        code_challenge_method: "S256",
      });
      return { url: url.href, transaction };
    },

    /**
     * Exchanges the code. State, nonce, PKCE and `iss` (RFC 9207) are compared, and the ID token is checked.
     *
     * @param search of the address that the browser came back to
     * @throws UsherError `sign_in_failed`, `provider_unavailable`
     */
    async finish(search: string, { state, nonce, verifier }: Transaction): Promise<Claims> {
      const found = await discovered();
      try {
        const tokens = await client.authorizationCodeGrant(found, new URL(`${redirectUri}${search}`), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (claims === undefined) throw new Error("there is no ID token");
        // Many providers say there what groups somebody is in. What the ID token says is signed, and wins.
        if (found.serverMetadata().userinfo_endpoint === undefined) return claims;
        return { ...(await client.fetchUserInfo(found, tokens.access_token, claims.sub)), ...claims };
      } catch (cause) {
        throw failure(cause);
      }
    },

    /** Where a browser ends its session at the provider, too; null where there is no such place. */
    async endSessionUrl(returnTo: string): Promise<string | null> {
      const found = await discovered().catch(() => null);
      if (found?.serverMetadata().end_session_endpoint === undefined) return null;
      return client.buildEndSessionUrl(found, { post_logout_redirect_uri: returnTo }).href;
    },

    /**
     * Checks a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.6), all but that it was not taken before.
     *
     * @throws UsherError `bad_request`, `provider_unavailable`
     */
    async readLogoutToken(token: string): Promise<LogoutToken> {
      const { issuer, jwks_uri: uri } = (await discovered()).serverMetadata();
      if (uri === undefined) throw away(new Error("the provider publishes no keys"));
      if (keys?.uri !== uri) {
        const options = { timeoutDuration: timeoutSec * 1_000, [joseFetch]: boundedFetch };
        keys = { uri, set: createRemoteJWKSet(new URL(uri), options) };
      }
      const { payload } = await jwtVerify(token, keys.set, {
        issuer,
        audience: config.clientId,
        algorithms,
        requiredClaims: ["iat", "exp", "jti", "events"],
        maxTokenAge: logoutTokenAgeSec,
        clockTolerance: toleranceSec,
        currentDate: new Date(clock.now()),
      }).catch((cause: unknown) => {
        if (!(cause instanceof errors.JOSEError) || faultsOfProvider.includes(cause.code)) throw away(cause);
        const message = "logout_token: not issued by the provider for this client, or too old";
        throw new UsherError("bad_request", message, { cause, reason: reasonOf(cause) });
      });
      return { ...logoutOf(payload), expiresMs: clock.now() + logoutTokenKeptMs };
    },
  };
}

function logoutOf({ events, nonce, jti, sub, sid }: JWTPayload) {
  const isLogout = isObject(events) && isObject(events[logoutEvent]) && nonce === undefined;
  const [id, ofSub, ofSid] = [jti, sub, sid].map(idOf);
  if (!isLogout || id == null || (ofSub == null && ofSid == null)) {
    throw new UsherError("bad_request", "logout_token: names neither a person nor a session to log out");
  }
  return { jti: id, sub: ofSub ?? null, sid: ofSid ?? null };
}

function idOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" && value.length <= idLengthMax ? value : null;
}

function away(cause: unknown): UsherError {
  return new UsherError("provider_unavailable", "the sign-in provider does not answer as it should", {
    cause,
    reason: reasonOf(cause),
    retryAfterSec: 10,
  });
}

/** What the person or the provider refused is no fault of the provider. Neither words nor values of it are repeated. */
function failure(cause: unknown): UsherError {
  const isAnswer =
    cause instanceof client.AuthorizationResponseError ||
    cause instanceof client.ResponseBodyError ||
    (cause instanceof client.ClientError && !faultsOfProvider.includes(cause.code ?? ""));
  return isAnswer
    ? new UsherError("sign_in_failed", "the provider did not sign you in, or its answer does not fit; try again", {
        cause,
        reason: reasonOf(cause),
      })
    : away(cause);
}
