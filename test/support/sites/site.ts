/** What the sites of the tests have in common: real relying-party software, each protecting one site in this process. */
import type { ErrorRequestHandler, Response } from "express";

export interface SiteOptions {
  port: number;
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** How long the site remembers a login that it has begun, where that can be set; default 5 minutes. */
  loginTimeoutMs?: number;
}

export interface Site {
  readonly origin: string;
  stop(): Promise<void>;
}

export const DEFAULT_LOGIN_TIMEOUT_MS = 300_000;
/** Everything else is protected. */
export const CALLBACK_PATH = "/callback";
export const LOGOUT_PATH = "/logout";
export const GOODBYE_PATH = "/goodbye";

/** The addresses of a site at `port`. */
export function siteUris(port: number) {
  const origin = `http://localhost:${port}`;
  return {
    origin,
    redirectUri: `${origin}${CALLBACK_PATH}`,
    startUri: `${origin}/`,
    logoutUri: `${origin}${LOGOUT_PATH}`,
    loggedOutUri: `${origin}${GOODBYE_PATH}`,
  };
}

/** The page of somebody who is in: what they asked for, and the claims of their ID token. */
export function welcome(response: Response, path: string, claims: unknown): void {
  response.json({ path, claims });
}

/** Says what went wrong. Express takes a handler with four parameters for one of errors. */
export const showError: ErrorRequestHandler = (error: Error & { status?: number }, _request, response, _next) => {
  response
    .status(error.status ?? 500)
    .type("text")
    .send(error.message);
};
