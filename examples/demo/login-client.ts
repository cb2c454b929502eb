import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import * as openid from "openid-client";

const DISCOVERY_ATTEMPTS = 5;
const DISCOVERY_DELAY_MS = 250;

export interface LoginClientOptions {
  issuer: string;
  clientId: string;
  clientSecret: string;
}

/** What the site remembers of a login it has begun, so that it can check the answer. */
export interface PendingLogin {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** The visitor who came in, by a verified ID token. */
export interface LoggedIn {
  readonly claims: openid.IDToken;
  readonly idToken: string;
}

/** The OpenID Connect half of the site: authorization code flow with state, nonce and PKCE. */
export interface LoginClient {
  /** @param statePrefix begins the state; it is a mark, not a secret. */
  begin(redirectUri: string, statePrefix: string): Promise<{ location: URL; pending: PendingLogin }>;
  /** @throws what openid-client throws when the answer is not what was asked for. */
  finish(callback: URL, pending: PendingLogin): Promise<LoggedIn>;
  /** Where the browser goes to log out at the provider; undefined when the provider knows no logout. */
  logoutLocation(idToken: string, postLogoutRedirectUri: string, state: string): Promise<URL | undefined>;
}

export function createLoginClient({ issuer, clientId, clientSecret }: LoginClientOptions): LoginClient {
  let discovered: Promise<openid.Configuration> | undefined;

  // The site may be up before its provider: it asks when the first visitor comes, and asks the next time
  // again if that was in vain.
  function provider(): Promise<openid.Configuration> {
    discovered ??= discover(new URL(issuer), clientId, clientSecret).catch((error: unknown) => {
      discovered = undefined;
      throw error;
    });
    return discovered;
  }

  const randomText = () => randomBytes(32).toString("base64url");

  return {
    async begin(redirectUri, statePrefix) {
      const configuration = await provider();
      const pending = { state: statePrefix + randomText(), nonce: randomText(), codeVerifier: randomText() };
      const location = openid.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: "openid",
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(pending.codeVerifier),
        code_challenge_method: "S256",
      });
      return { location, pending };
    },

    async finish(callback, pending) {
      const tokens = await openid.authorizationCodeGrant(await provider(), callback, {
        expectedState: pending.state,
        expectedNonce: pending.nonce,
        pkceCodeVerifier: pending.codeVerifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined || tokens.id_token === undefined) throw new Error("the provider sent no ID token");
      return { claims, idToken: tokens.id_token };
    },

    async logoutLocation(idToken, postLogoutRedirectUri, state) {
      const configuration = await provider();
      if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined;
      return openid.buildEndSessionUrl(configuration, {
        id_token_hint: idToken,
        post_logout_redirect_uri: postLogoutRedirectUri,
        state,
      });
    },
  };
}

async function discover(issuer: URL, clientId: string, clientSecret: string): Promise<openid.Configuration> {
  // Plain http never leaves this machine; for any other host openid-client insists on https.
  const isLocalHttp = issuer.protocol === "http:" && ["localhost", "127.0.0.1", "[::1]"].includes(issuer.hostname);
  const options = isLocalHttp ? { execute: [openid.allowInsecureRequests] } : {};
  for (let attempt = 1; ; attempt++) {
    try {
      return await openid.discovery(issuer, clientId, clientSecret, undefined, options);
    } catch (error) {
      if (attempt === DISCOVERY_ATTEMPTS) throw error;
      await delay(DISCOVERY_DELAY_MS * 2 ** (attempt - 1));
    }
  }
}
