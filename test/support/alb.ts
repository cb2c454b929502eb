/**
 * A double of an AWS Application Load Balancer whose rules have the action `authenticate-oidc`. It stands for what
 * cannot run here, and is built from AWS's documentation:
 *
 * - guide: "Authenticate users using an Application Load Balancer" (Elastic Load Balancing, user guide for
 *   Application Load Balancers)
 * - api: "AuthenticateOidcActionConfig" (Elastic Load Balancing, API Reference version 2015-12-01)
 * - errors: "Troubleshoot your Application Load Balancers", section "The load balancer generates an HTTP error"
 * - help: "How do I troubleshoot authentication issues in my Application Load Balancer?" (re:Post knowledge center)
 *
 * Comments name the document and the section. "Not documented" says what had to be chosen without one; the choice
 * is the stricter one, or an option.
 */
import { randomBytes } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { type Clock, systemClock } from "../../src/lib/clock-and-random.ts";
import { AlbError, type AuthenticateOidcConfig, checkConfig } from "./alb/config.ts";
import { createOidcDataSigner } from "./alb/oidc-data.ts";
import { createProviderCalls, type ProviderSession } from "./alb/provider-calls.ts";
import { createSealer, joinShards, shard } from "./alb/sealed-cookies.ts";
import type { HttpClient } from "./http-client.ts";
import { startSiteServer } from "./site-server.ts";
import type { Tls } from "./tls.ts";

export type { AuthenticateOidcConfig } from "./alb/config.ts";
export { verifyOidcData } from "./alb/oidc-data.ts";

/** Reserved at every load balancer with an authenticate action (guide, "Prepare to use an OIDC-compliant IdP"). */
const CALLBACK_PATH = "/oauth2/idpresponse";
const NONCE_COOKIE = "AWSALBAuthNonce";
const SESSION_COOKIE = "AWSELBAuthSessionCookie";
/** `SessionTimeout`: "The default is 604800 seconds (7 days)" (api). */
const SESSION_TIMEOUT_SEC = 604_800;
/** Fixed at AWS: 15 minutes, then HTTP 401 (guide, "Client login timeout"). */
const LOGIN_TIMEOUT_MS = 900_000;
const ARN = "arn:aws:elasticloadbalancing:eu-central-1:123456789012:loadbalancer/app/shop/50dc6c495c0c9188";

/** A request as the target gets it. */
export interface TargetRequest {
  readonly method: string;
  readonly url: URL;
  /** With `x-amzn-oidc-accesstoken`, `-identity` and `-data` when a user is logged in. */
  readonly headers: IncomingHttpHeaders;
}

export interface TargetResponse {
  status: number;
  headers?: Record<string, string>;
  setCookies?: readonly string[];
  body?: string;
}

export type Target = (request: TargetRequest) => TargetResponse;

/** The first rule counts whose path matches. */
export interface AlbRule {
  pathPrefix: string;
  /** Absent for paths that are forwarded as they come. */
  authenticate?: AuthenticateOidcConfig;
}

export interface AlbOptions {
  /** The site's name, which must lead here. */
  host: string;
  port: number;
  /** "Supported only with HTTPS listeners" (guide, "Configure user authentication"). */
  tls: Tls;
  http: HttpClient;
  rules: readonly AlbRule[];
  /** The application; default: answers with the request that it got, as JSON. */
  target?: Target;
  clock?: Clock;
  /** Default 15 minutes. */
  loginTimeoutMs?: number;
  /** See ProviderCallsOptions; default `post`. */
  tokenAuthentication?: "post" | "basic";
  /**
   * Whether a login begun while another one is under way takes the nonce cookie's place, so that the older one
   * ends in 401, or goes on with its nonce. Not documented; default `kept`.
   */
  nonce?: "kept" | "replaced";
}

export interface Alb {
  readonly origin: string;
  /** The reasons of all error pages so far, as the access log names them where it has a name. */
  readonly errorReasons: readonly string[];
  /** The key behind `x-amzn-oidc-data`, by its id. */
  publicKey(keyId: string): string | undefined;
  stop(): Promise<void>;
}

/** Kept by the browser, encrypted; the load balancer itself remembers nothing. */
interface Session extends ProviderSession {
  readonly startedMs: number;
}

/** What comes back in `state`. */
interface PendingLogin {
  readonly nonce: string;
  readonly startedMs: number;
  readonly rule: number;
  /** Where the user wanted to go. */
  readonly url: string;
}

/** The addresses of a load balancer for `host` at `port`. */
export function albUris(host: string, port: number) {
  const origin = `https://${host}:${port}`;
  return { origin, redirectUri: `${origin}${CALLBACK_PATH}`, startUri: `${origin}/` };
}

export async function startAlb(options: AlbOptions): Promise<Alb> {
  const { rules, target = echo, clock = systemClock, loginTimeoutMs = LOGIN_TIMEOUT_MS, nonce = "kept" } = options;
  for (const { authenticate } of rules) if (authenticate !== undefined) checkConfig(authenticate);
  const { origin, redirectUri } = albUris(options.host, options.port);
  const sealer = createSealer();
  const signer = createOidcDataSigner(ARN);
  const { http, tokenAuthentication = "post" } = options;
  const provider = createProviderCalls({ http, tokenAuthentication, now: clock.now });
  const errorReasons: string[] = [];

  async function answer(request: TargetRequest): Promise<TargetResponse> {
    if (request.url.pathname === CALLBACK_PATH) return finishLogin(request);
    const index = rules.findIndex(({ pathPrefix }) => request.url.pathname.startsWith(pathPrefix));
    const rule = rules[index];
    if (rule === undefined) return { status: 404 };
    if (rule.authenticate === undefined) return target(request);
    const config = rule.authenticate;

    const current = readSession(config, request);
    if (current !== undefined && !isAccessTokenOver(current)) return forward(config, request, current);
    const renewed = current && (await renew(config, current));
    if (renewed !== undefined) {
      const response = forward(config, request, renewed);
      // The application's word on the session, where it has one, is the last.
      return { ...response, setCookies: [...keepSession(config, request, renewed), ...(response.setCookies ?? [])] };
    }
    switch (config.onUnauthenticatedRequest ?? "authenticate") {
      case "authenticate":
        return startLogin(config, index, request);
      // "Forwards the request without the user claims" (guide, "Configure user authentication").
      case "allow":
        return target(request);
      // "Returns an HTTP 401 Unauthorized error" (the same).
      case "deny":
        throw new AlbError(401, "OnUnauthenticatedRequest");
    }
  }

  /** A session lasts as long as its cookie and `SessionTimeout`, whichever ends first. */
  function readSession(config: AuthenticateOidcConfig, request: TargetRequest): Session | undefined {
    const sealed = joinShards(sessionCookie(config), cookiesOf(request));
    const session = sealed === undefined ? undefined : (sealer.open(sealed) as Session | undefined);
    const isOver = session !== undefined && clock.now() - session.startedMs >= timeoutSec(config) * 1_000;
    return isOver ? undefined : session;
  }

  /**
   * Without a refresh token "the load balancer keeps the authentication session until it times out"; with one it
   * "refreshes the user session each time the access token expires" (guide, "Authentication logout and session timeout").
   */
  function isAccessTokenOver({ refreshToken, expiresMs }: Session): boolean {
    return refreshToken !== undefined && expiresMs !== undefined && clock.now() >= expiresMs;
  }

  /** "The load balancer has the user log in again only after … the refresh flow fails" (the same). */
  async function renew(config: AuthenticateOidcConfig, session: Session): Promise<Session | undefined> {
    const fresh = await provider.refresh(config, session.refreshToken ?? "");
    return fresh && { ...fresh, startedMs: session.startedMs };
  }

  /** Redirects "to the IdP authorization endpoint" (guide, "Authentication flow", step 1). */
  function startLogin(config: AuthenticateOidcConfig, rule: number, request: TargetRequest): TargetResponse {
    const kept = nonce === "kept" ? cookiesOf(request).get(NONCE_COOKIE) : undefined;
    const login = { nonce: kept ?? randomBytes(12).toString("base64url"), startedMs: clock.now(), rule };
    const state = sealer.seal({ ...login, url: request.url.href } satisfies PendingLogin);
    const location = new URL(config.authorizationEndpoint);
    // No nonce and no PKCE: the API has no setting for either, and `state` is bound to the cookie (help, "HTTP 401").
    const parameters = {
      client_id: config.clientId,
      redirect_uri: redirectUri,
      response_type: "code",
      scope: config.scope ?? "openid",
      state,
      ...config.authenticationRequestExtraParams,
    };
    for (const [name, value] of Object.entries(parameters)) location.searchParams.set(name, value);
    const setCookies = [cookie(NONCE_COOKIE, login.nonce, timeoutSec(config))];
    return { status: 302, headers: { location: location.href }, setCookies };
  }

  /** The callback (guide, "Authentication flow", steps 2 to 4; help, "HTTP 401: Unauthorized"). */
  async function finishLogin(request: TargetRequest): Promise<TargetResponse> {
    const query = request.url.searchParams;
    // "The IdP returned an error code when authenticating the user" (errors, "HTTP 561: Unauthorized").
    if (query.has("error")) throw new AlbError(561, "AuthIdpError");
    const state = query.get("state");
    if (state === null) throw new AlbError(401, "AuthMissingStateParam");
    const login = sealer.open(state) as PendingLogin | undefined;
    const config = login && rules[login.rule]?.authenticate;
    if (login === undefined || config === undefined) throw new AlbError(401, "AuthInvalidStateParam");
    const held = cookiesOf(request).get(NONCE_COOKIE);
    if (held === undefined) throw new AlbError(401, "AuthMissingAWSALBAuthNonce");
    if (held !== login.nonce) throw new AlbError(401, "AuthInvalidAWSALBAuthNonce");
    // A client that has not logged in within 15 minutes gets HTTP 401 (guide, "Client login timeout").
    if (clock.now() - login.startedMs > loginTimeoutMs) throw new AlbError(401, "ClientLoginTimeout");
    const code = query.get("code");
    if (code === null) throw new AlbError(401, "AuthMissingCodeParam");
    const session = { ...(await provider.redeem(config, code, redirectUri)), startedMs: clock.now() };
    const setCookies = keepSession(config, request, session);
    return { status: 302, headers: { location: login.url }, setCookies };
  }

  /** "The load balancer shards a cookie that is greater than 4K in size into multiple cookies" (the same, step 4). */
  function keepSession(config: AuthenticateOidcConfig, request: TargetRequest, session: Session): string[] {
    const name = sessionCookie(config);
    const shards = shard(name, sealer.seal(session));
    if (shards === undefined) throw new AlbError(500, "AuthUserinfoResponseSizeExceeded");
    const leftSec = Math.ceil(timeoutSec(config) - (clock.now() - session.startedMs) / 1_000);
    const kept = new Map(shards);
    const stale = shardsOf(request, name).filter((each) => !kept.has(each));
    return [...shards.map(([each, text]) => cookie(each, text, leftSec)), ...stale.map((each) => cookie(each, "", -1))];
  }

  /** "The load balancer sends the user claims to the target in HTTP headers" (the same, step 5). */
  function forward(config: AuthenticateOidcConfig, request: TargetRequest, session: Session): TargetResponse {
    const headers = {
      ...request.headers,
      "x-amzn-oidc-accesstoken": session.accessToken,
      "x-amzn-oidc-identity": String(session.claims.sub),
      "x-amzn-oidc-data": signer.sign(session.claims, config.issuer, config.clientId, clock.now()),
    };
    return target({ ...request, headers });
  }

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const headers = { ...incoming.headers };
    // What a client sends under these names would pass for the load balancer's word.
    for (const name of Object.keys(headers)) if (name.startsWith("x-amzn-oidc-")) delete headers[name];
    const request = { method: incoming.method ?? "GET", url: new URL(incoming.url ?? "/", origin), headers };
    const response = await answer(request).catch((error: unknown) => {
      if (!(error instanceof AlbError)) throw error;
      errorReasons.push(error.reason);
      return errorPage(error);
    });
    outgoing.writeHead(response.status, { ...response.headers, "set-cookie": [...(response.setCookies ?? [])] });
    outgoing.end(response.body);
  }

  const server = await startSiteServer(
    (incoming, outgoing) => void handle(incoming, outgoing).catch((error) => outgoing.destroy(error)),
    options,
  );
  return {
    origin,
    errorReasons,
    publicKey: (keyId) => (keyId === signer.keyId ? signer.publicKey : undefined),
    stop: server.stop,
  };
}

/** How an application logs a user out of the load balancer: it makes the session cookies expire (guide, "Authentication logout"). */
export function expireSession(request: TargetRequest, name = SESSION_COOKIE): string[] {
  return shardsOf(request, name).map((each) => cookie(each, "", -1));
}

/** The default target. */
export function echo({ method, url, headers }: TargetRequest): TargetResponse {
  const body = JSON.stringify({ method, path: `${url.pathname}${url.search}`, headers });
  return { status: 200, headers: { "content-type": "application/json" }, body };
}

function sessionCookie({ sessionCookieName = SESSION_COOKIE }: AuthenticateOidcConfig): string {
  return sessionCookieName;
}

function timeoutSec({ sessionTimeoutSec = SESSION_TIMEOUT_SEC }: AuthenticateOidcConfig): number {
  return sessionTimeoutSec;
}

function cookie(name: string, value: string, maxAgeSec: number): string {
  const expires = new Date(maxAgeSec < 0 ? 0 : Date.now() + maxAgeSec * 1_000).toUTCString();
  return `${name}=${value}; Expires=${expires}; Path=/; Secure; HttpOnly; SameSite=None`;
}

function shardsOf(request: TargetRequest, name: string): string[] {
  return [...cookiesOf(request).keys()].filter((each) => each.startsWith(`${name}-`));
}

function cookiesOf({ headers }: TargetRequest): Map<string, string> {
  const pairs = (headers.cookie ?? "").split("; ").filter((pair) => pair.includes("="));
  return new Map(pairs.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]));
}

function errorPage({ status }: AlbError): TargetResponse {
  const title = `${status} ${status === 500 ? "Internal Server Error" : "Authorization Required"}`;
  return {
    status,
    headers: { "content-type": "text/html" },
    body: `<html><title>${title}</title><h1>${title}</h1></html>`,
  };
}
