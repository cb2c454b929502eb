/** The organisation's own OpenID Connect provider, at which operators sign in and are signed out. jose keeps to the specifications. */
import { createRemoteJWKSet, errors, type JWTPayload, customFetch as joseFetch, jwtVerify } from "jose";
import * as client from "openid-client";
import type { SignInConfig } from "../../../config/index.ts";
import { createDocumentFetch } from "../../../lib/bounded-fetch.ts";
import type { Clock } from "../../../lib/clock-and-random.ts";
import { UsherError } from "../../../lib/errors.ts";
import { isObject } from "../../../lib/json.ts";
import { createProviderLogin, faultsOfProvider, providerAway } from "../../../lib/openid/login.ts";
import { reasonOf } from "../../../lib/openid/reason.ts";

/** Whom the provider has logged out. */
export interface LogoutToken {
  readonly jti: string;
  readonly sub: string | null;
  readonly sid: string | null;
  /** Until when such a token would be taken, in milliseconds since 1970. */
  readonly expiresMs: number;
}

export type SignInProvider = ReturnType<typeof createSignInProvider>;

const toleranceSec = 30;
/** Seconds; a logout token is sent at once. */
const logoutTokenAgeSec = 300;
const logoutTokenLifetimeMs = (logoutTokenAgeSec + 2 * toleranceSec) * 1_000;
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

/**
 * @param redirectUri that the provider knows of this client
 * @param timeoutSec that each of its answers may take
 */
export function createSignInProvider(config: SignInConfig, redirectUri: string, clock: Clock, timeoutSec = 10) {
  const { discovered, discoveredThere, ...login } = createProviderLogin(config, redirectUri, clock, timeoutSec);
  let keys: { readonly uri: string; readonly set: ReturnType<typeof createRemoteJWKSet> } | null = null;

  return {
    ...login,

    /** Where a browser ends its session at the provider, too; null where there is no such place, or the provider is away. */
    async endSessionUrl(returnTo: string): Promise<string | null> {
      const found = await discoveredThere().catch(() => null);
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
      if (uri === undefined) throw providerAway(new Error("the provider publishes no keys"));
      if (keys?.uri !== uri) {
        const fetchKeys = createDocumentFetch({ timeoutMs: timeoutSec * 1_000 });
        keys = { uri, set: createRemoteJWKSet(new URL(uri), { [joseFetch]: fetchKeys }) };
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
        if (!(cause instanceof errors.JOSEError) || faultsOfProvider.includes(cause.code)) throw providerAway(cause);
        const message = "logout_token: not issued by the provider for this client, or too old";
        throw new UsherError("bad_request", message, { cause, reason: reasonOf(cause) });
      });
      return { ...logoutOf(payload), expiresMs: clock.now() + logoutTokenLifetimeMs };
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
