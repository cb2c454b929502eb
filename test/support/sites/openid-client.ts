/** A site on openid-client (v6) as its documentation shows it: state, nonce, PKCE, and logins kept in a session. */
import { randomBytes } from "node:crypto";
import express, { type Request, type Response } from "express";
import session from "express-session";
import * as openid from "openid-client";
import { startSiteServer } from "../site-server.ts";
import {
  CALLBACK_PATH,
  DEFAULT_LOGIN_TIMEOUT_MS,
  GOODBYE_PATH,
  LOGOUT_PATH,
  type Site,
  type SiteOptions,
  showError,
  siteUris,
  welcome,
} from "./site.ts";

interface PendingLogin {
  nonce: string;
  codeVerifier: string;
  startedMs: number;
  returnTo: string;
}

declare module "express-session" {
  interface SessionData {
    logins: Record<string, PendingLogin>;
    loggedIn: { idToken: string; claims: openid.IDToken };
  }
}

export interface OpenidClientSiteOptions extends SiteOptions {
  /** For an issuer whose certificate this process does not trust. */
  fetch?: openid.CustomFetch;
  /** Sent along with every authorization request. */
  authorizationParameters?: Record<string, string>;
  /** Where the browser goes to log out; default: the provider's own logout, which leads back to the site. */
  logoutUrl?: string;
}

export async function startOpenidClientSite(options: OpenidClientSiteOptions): Promise<Site> {
  const { origin, redirectUri, loggedOutUri } = siteUris(options.port);
  const { loginTimeoutMs = DEFAULT_LOGIN_TIMEOUT_MS } = options;
  const provider = await discover(options);

  async function startLogin(request: Request, response: Response): Promise<void> {
    const state = openid.randomState();
    const login = {
      nonce: openid.randomNonce(),
      codeVerifier: openid.randomPKCECodeVerifier(),
      startedMs: Date.now(),
      returnTo: request.originalUrl,
    };
    request.session.logins = { ...request.session.logins, [state]: login };
    const location = openid.buildAuthorizationUrl(provider, {
      redirect_uri: redirectUri,
      scope: "openid",
      state,
      nonce: login.nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(login.codeVerifier),
      code_challenge_method: "S256",
      ...options.authorizationParameters,
    });
    response.redirect(location.href);
  }

  async function finishLogin(request: Request, response: Response): Promise<void> {
    const url = new URL(request.originalUrl, origin);
    const state = url.searchParams.get("state") ?? "";
    const { [state]: login, ...others } = request.session.logins ?? {};
    request.session.logins = others;
    if (login === undefined || Date.now() - login.startedMs > loginTimeoutMs) {
      response.status(400).type("text").send("this login is not known here any more");
      return;
    }
    const tokens = await openid.authorizationCodeGrant(provider, url, {
      expectedState: state,
      expectedNonce: login.nonce,
      pkceCodeVerifier: login.codeVerifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (claims === undefined || tokens.id_token === undefined) throw new Error("no ID token");
    request.session.loggedIn = { idToken: tokens.id_token, claims };
    response.redirect(login.returnTo);
  }

  function logout(request: Request, response: Response): void {
    const idToken = request.session.loggedIn?.idToken;
    delete request.session.loggedIn;
    const parameters = { post_logout_redirect_uri: loggedOutUri, ...(idToken && { id_token_hint: idToken }) };
    response.redirect(options.logoutUrl ?? openid.buildEndSessionUrl(provider, parameters).href);
  }

  const app = express();
  app.use(session({ secret: randomBytes(32).toString("hex"), resave: false, saveUninitialized: false }));
  app.get(GOODBYE_PATH, (_, response) => void response.send("goodbye"));
  app.get(CALLBACK_PATH, finishLogin);
  app.get(LOGOUT_PATH, logout);
  app.get("/{*path}", async (request, response) => {
    const { loggedIn } = request.session;
    if (loggedIn === undefined) await startLogin(request, response);
    else welcome(response, request.originalUrl, loggedIn.claims);
  });
  app.use(showError);
  const server = await startSiteServer(app, options);
  return { origin, stop: server.stop };
}

function discover({ issuer, clientId, clientSecret, fetch }: OpenidClientSiteOptions): Promise<openid.Configuration> {
  const isHttp = issuer.startsWith("http:");
  return openid.discovery(new URL(issuer), clientId, clientSecret, undefined, {
    execute: isHttp ? [openid.allowInsecureRequests] : [],
    ...(fetch && { [openid.customFetch]: fetch }),
  });
}
