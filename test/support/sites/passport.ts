/** A site on Passport with passport-openidconnect, which keeps the last login that it has begun in the session. */
import { randomBytes } from "node:crypto";
import express from "express";
import session from "express-session";
import { decodeJwt } from "jose";
import passport, { type Profile } from "passport";
import OpenIDConnectStrategy, { type VerifyCallback } from "passport-openidconnect";
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

const SESSION_MS = 3_600_000;

interface LoggedIn {
  idToken: string;
  /** The `sub` that userinfo told. */
  id: string;
}

declare module "express-session" {
  interface SessionData {
    returnTo: string;
  }
}

export async function startPassportSite(options: SiteOptions): Promise<Site> {
  const { origin, redirectUri, loggedOutUri } = siteUris(options.port);
  const { issuer, clientId, clientSecret, loginTimeoutMs = DEFAULT_LOGIN_TIMEOUT_MS } = options;
  const authenticator = new passport.Passport();
  authenticator.use(
    new OpenIDConnectStrategy(
      {
        issuer,
        authorizationURL: `${issuer}/authorize`,
        tokenURL: `${issuer}/token`,
        userInfoURL: `${issuer}/userinfo`,
        clientID: clientId,
        clientSecret,
        callbackURL: redirectUri,
        nonce: "any",
      },
      // Nine parameters: with that many it asks userinfo.
      (
        _issuer: string,
        userinfo: object,
        _profile: object,
        _context: object,
        idToken: object | string,
        _accessToken: object | string,
        _refreshToken: string,
        _answer: unknown,
        done: VerifyCallback,
      ) => done(null, { idToken, id: (userinfo as Profile).id } as LoggedIn),
    ),
  );
  authenticator.serializeUser((user, done) => done(null, user));
  authenticator.deserializeUser((user: LoggedIn, done) => done(null, user));

  const app = express();
  // A session that nobody has logged in to lasts as long as a login may take.
  app.use(
    session({
      secret: randomBytes(32).toString("hex"),
      resave: false,
      saveUninitialized: false,
      cookie: { maxAge: loginTimeoutMs, sameSite: "lax" },
    }),
  );
  app.use(authenticator.session());
  app.get(GOODBYE_PATH, (_, response) => void response.send("goodbye"));
  app.get(
    CALLBACK_PATH,
    // It answers a login that it does not know with 403.
    authenticator.authenticate("openidconnect", { keepSessionInfo: true }),
    (request, response) => {
      request.session.cookie.maxAge = SESSION_MS;
      response.redirect(request.session.returnTo ?? "/");
    },
  );
  app.get(LOGOUT_PATH, (request, response, next) => {
    const user = request.user as LoggedIn | undefined;
    request.logout((error: unknown) => {
      if (error) return next(error);
      const location = new URL(`${issuer}/logout`);
      location.searchParams.set("post_logout_redirect_uri", loggedOutUri);
      if (user !== undefined) location.searchParams.set("id_token_hint", user.idToken);
      response.redirect(location.href);
    });
  });
  app.get("/{*path}", (request, response, next) => {
    const user = request.user as LoggedIn | undefined;
    if (user !== undefined) {
      const claims = decodeJwt(user.idToken);
      if (claims.sub !== user.id) throw new Error("userinfo names somebody else");
      return welcome(response, request.originalUrl, claims);
    }
    request.session.returnTo = request.originalUrl;
    return authenticator.authenticate("openidconnect")(request, response, next);
  });
  app.use(showError);
  const server = await startSiteServer(app, options);
  return { origin, stop: server.stop };
}
