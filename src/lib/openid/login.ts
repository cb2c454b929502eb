/** Signing people in at an organisation's own OpenID Connect provider. openid-client keeps to the specifications. */
import * as client from "openid-client";
import { createBoundedFetch } from "../bounded-fetch.ts";
import type { Clock } from "../clock-and-random.ts";
import { UsherError } from "../errors.ts";
import { reasonOf } from "./reason.ts";

/** The provider, and what it knows this installation by. */
export interface ProviderClient {
  /** Of the provider; not one of Usher's own. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly tokenEndpointAuthMethod: "client_secret_basic" | "client_secret_post";
  readonly scopes: readonly string[];
}

/** What was begun, kept by the browser until it comes back. */
export interface Transaction {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export type Claims = Readonly<Record<string, unknown>>;

export type ProviderLogin = ReturnType<typeof createProviderLogin>;

/** How old what was discovered may be, in milliseconds: for what the gateway itself sends, of which the answer says whether the provider is there. */
const discoveredForMs = 3_600_000;
/** For where a browser is sent: people should not meet their browser's own error page. */
const thereForMs = 10_000;

/** Codes of openid-client and of jose for a provider that answers too late, or with something else than an answer. */
export const faultsOfProvider = [
  ...["OAUTH_TIMEOUT", "OAUTH_ABORT", "OAUTH_RESPONSE_IS_NOT_CONFORM", "OAUTH_RESPONSE_IS_NOT_JSON"],
  ...["ERR_JWKS_TIMEOUT", "ERR_JWKS_INVALID", "ERR_JOSE_GENERIC"],
];

/**
 * @param redirectUri that the provider knows of this client
 * @param timeoutSec that each of its answers may take
 */
export function createProviderLogin(config: ProviderClient, redirectUri: string, clock: Clock, timeoutSec = 10) {
  const providerFetch = createBoundedFetch({ timeoutMs: timeoutSec * 1_000 });
  let cached: { readonly found: client.Configuration; readonly sinceMs: number } | null = null;
  let discovering: Promise<client.Configuration> | null = null;

  /** Discovery follows a failure at once. Many at a time wait for one answer. */
  async function discovered(forMs = discoveredForMs): Promise<client.Configuration> {
    const ageMs = cached === null ? -1 : clock.now() - cached.sinceMs;
    // Less than nothing: the clock was set back.
    if (cached !== null && ageMs >= 0 && ageMs < forMs) return cached.found;
    discovering ??= discover().finally(() => {
      discovering = null;
    });
    return discovering;
  }

  const discoveredThere = () => discovered(thereForMs);

  async function discover(): Promise<client.Configuration> {
    const { issuer, clientId, clientSecret, tokenEndpointAuthMethod } = config;
    const isPost = tokenEndpointAuthMethod === "client_secret_post";
    const auth = isPost ? client.ClientSecretPost(clientSecret) : client.ClientSecretBasic(clientSecret);
    const execute = issuer.startsWith("http:") ? [client.allowInsecureRequests] : [];
    const options = { timeout: timeoutSec, execute, [client.customFetch]: providerFetch };
    const found = await client
      .discovery(new URL(issuer), clientId, undefined, auth, options)
      .catch((cause: unknown) => {
        throw providerAway(cause);
      });
    cached = { found, sinceMs: clock.now() };
    return found;
  }

  return {
    discovered,
    /** What is discovered of a provider that was there a moment ago. @throws UsherError `provider_unavailable` */
    discoveredThere,

    /** The address that the browser is sent to, and what it keeps. @throws UsherError `provider_unavailable` */
    async begin(): Promise<{ readonly url: string; readonly transaction: Transaction }> {
      const found = await discoveredThere();
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
     * @param isEnough whether the claims of the ID token alone will do, so that userinfo is not asked
     * @throws UsherError `sign_in_failed`, `provider_unavailable`
     */
    async finish(
      search: string,
      { state, nonce, verifier }: Transaction,
      isEnough: (claims: Claims) => boolean = () => false,
    ): Promise<Claims> {
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
        if (found.serverMetadata().userinfo_endpoint === undefined || isEnough(claims)) return claims;
        return withUserInfo(claims, await client.fetchUserInfo(found, tokens.access_token, claims.sub));
      } catch (cause) {
        throw failure(cause);
      }
    },
  };
}

export function providerAway(cause: unknown): UsherError {
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
    : providerAway(cause);
}

/** Whether an address or number is verified is said of that one alone, by whoever says it (OpenID Connect Core 1.0, section 5.1). */
const verifications = [
  ["email", "email_verified"],
  ["phone_number", "phone_number_verified"],
] as const;

/** The claims of the ID token, and those of userinfo that it does not have. */
export function withUserInfo(claims: Claims, userInfo: Claims): Claims {
  const merged: Record<string, unknown> = { ...userInfo, ...claims };
  for (const [value, verified] of verifications) {
    const source = claims[value] === undefined ? userInfo : claims;
    if (source[verified] === undefined) delete merged[verified];
    else merged[verified] = source[verified];
  }
  return merged;
}
