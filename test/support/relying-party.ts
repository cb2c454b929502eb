/**
 * A relying party without a server: it makes authorization requests, redeems codes and verifies ID tokens
 * with jose, each step by itself, so that tests can do each one wrong.
 */
import { createHash, randomBytes } from "node:crypto";
import {
  createLocalJWKSet,
  type JSONWebKeySet,
  type JWTPayload,
  jwtVerify,
  type ProtectedHeaderParameters,
} from "jose";
import type { HttpClient, HttpResponse } from "./http-client.ts";
import type { LoginOptions, Page, Visitor } from "./visitor.ts";

export interface RelyingPartyOptions {
  http: HttpClient;
  issuer: string;
  clientId: string;
  /** Absent for a public client. */
  clientSecret?: string;
  redirectUri: string;
  /** How the secret is sent; default `basic`. */
  authentication?: "basic" | "post";
}

export interface LoginRequest {
  readonly url: URL;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface Tokens {
  readonly idToken: string;
  readonly accessToken: string;
  /** Of clients that have refresh tokens. */
  readonly refreshToken: string | undefined;
  readonly expiresInSec: number;
  readonly claims: JWTPayload & Record<string, unknown>;
  readonly header: ProtectedHeaderParameters;
}

export interface RelyingParty {
  readonly options: RelyingPartyOptions;
  /** A new authorization request; `parameters` are added, `null` removes one. */
  startLogin(parameters?: Record<string, string | null>): LoginRequest;
  /** Whether an address is the redirect URI, for `stopAt` of a visitor. */
  isCallback(location: URL): boolean;
  /** One attempt to redeem a code, whatever the answer. `changes` are laid over the form; `null` removes. */
  redeem(code: string, login: LoginRequest, changes?: Record<string, string | null>): Promise<HttpResponse>;
  /** One attempt to refresh, whatever the answer. */
  refresh(refreshToken: string): Promise<HttpResponse>;
  /** Checks the callback as a relying party must, redeems the code, verifies the ID token. */
  finishLogin(page: Page, login: LoginRequest): Promise<Tokens>;
  userinfo(accessToken: string, path?: string, method?: string): Promise<HttpResponse>;
  /** The whole way of a visitor: request, line, callback, tokens. */
  login(visitor: Visitor, options?: LoginOptions): Promise<Tokens>;
}

export function createRelyingParty(options: RelyingPartyOptions): RelyingParty {
  const { http, issuer, clientId, clientSecret, redirectUri } = options;
  const isCallback = (location: URL) => location.href.split("?")[0] === redirectUri.split("?")[0];

  function startLogin(parameters: Record<string, string | null> = {}): LoginRequest {
    const [state, nonce, verifier] = [randomText(), randomText(), randomText()];
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    const url = new URL(`${issuer}/authorize`);
    const request = {
      response_type: "code",
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: "openid",
      state,
      nonce,
      code_challenge: challenge,
      code_challenge_method: "S256",
      ...parameters,
    };
    for (const [name, value] of Object.entries(request)) if (value !== null) url.searchParams.set(name, value);
    return { url, state, nonce, verifier };
  }

  async function redeem(code: string, { verifier }: LoginRequest, changes: Record<string, string | null> = {}) {
    const form = new URLSearchParams({ grant_type: "authorization_code", code, redirect_uri: redirectUri });
    form.set("code_verifier", verifier);
    return askForTokens(form, changes);
  }

  async function askForTokens(form: URLSearchParams, changes: Record<string, string | null> = {}) {
    const headers: Record<string, string> = {};
    if (clientSecret === undefined || options.authentication === "post") form.set("client_id", clientId);
    if (clientSecret !== undefined && options.authentication === "post") form.set("client_secret", clientSecret);
    if (clientSecret !== undefined && options.authentication !== "post") {
      const credentials = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
      headers.authorization = `Basic ${Buffer.from(credentials).toString("base64")}`;
    }
    for (const [name, value] of Object.entries(changes)) {
      if (value === null) form.delete(name);
      else form.set(name, value);
    }
    return http.request(`${issuer}/token`, { method: "POST", headers, body: form });
  }

  async function finishLogin(page: Page, login: LoginRequest): Promise<Tokens> {
    const response = await redeem(codeIn(page, login.state, issuer), login);
    if (response.status !== 200) throw new Error(`/token answered ${response.status}: ${response.body}`);
    const tokens = response.json() as {
      id_token: string;
      access_token: string;
      refresh_token?: string;
      expires_in: number;
    };
    const keys = (await http.get(`${issuer}/.well-known/jwks.json`)).json() as JSONWebKeySet;
    const { payload, protectedHeader } = await jwtVerify(tokens.id_token, createLocalJWKSet(keys), {
      issuer,
      audience: clientId,
      algorithms: ["RS256"],
      requiredClaims: ["sub", "iat", "exp", "nonce"],
    });
    if (payload.nonce !== login.nonce) throw new Error("the nonce of the ID token is not that of the request");
    return {
      idToken: tokens.id_token,
      accessToken: tokens.access_token,
      refreshToken: tokens.refresh_token,
      expiresInSec: tokens.expires_in,
      claims: payload,
      header: protectedHeader,
    };
  }

  return {
    options,
    startLogin,
    isCallback,
    redeem,
    refresh: (refreshToken) =>
      askForTokens(new URLSearchParams({ grant_type: "refresh_token", refresh_token: refreshToken })),
    finishLogin,
    userinfo: (accessToken, path = "/userinfo", method = "GET") =>
      http.request(`${issuer}${path}`, { method, headers: { authorization: `Bearer ${accessToken}` } }),
    async login(visitor, loginOptions = {}) {
      const login = startLogin();
      const page = await visitor.login(login.url, { ...loginOptions, stopAt: isCallback });
      return finishLogin(page, login);
    },
  };
}

/** The code in the redirect that ended a navigation. Throws when it is another answer or not the request's. */
export function codeIn(page: Page, state: string, issuer: string): string {
  const answer = page.location?.searchParams;
  const code = answer?.get("code");
  if (answer === undefined || !code) {
    throw new Error(`no code: ${page.status} ${page.location ?? ""} ${page.body.slice(0, 500)}`);
  }
  if (answer.get("state") !== state) throw new Error("the state came back changed");
  if (answer.get("iss") !== issuer) throw new Error(`iss is ${answer.get("iss")}, not ${issuer}`);
  return code;
}

function randomText(): string {
  return randomBytes(32).toString("base64url");
}
