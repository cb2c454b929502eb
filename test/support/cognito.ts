/**
 * A double of an Amazon Cognito user pool that federates with an OIDC provider, and has one app behind it. It stands
 * for what cannot run here, and is built from AWS's documentation (Amazon Cognito, developer guide):
 *
 * - idp: "Using OIDC identity providers with a user pool"
 * - flow: "OIDC user pool IdP authentication flow"
 * - mapping: "Mapping IdP attributes to profiles and tokens"
 * - endpoints: "Identity provider and relying party endpoints", with the pages of its endpoints
 * - responses: "Managed login and federation error responses"
 *
 * Comments name the document. "Not documented" says what had to be chosen without one.
 */
import { createHash, randomBytes, randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { type Clock, systemClock } from "../../src/lib/clock-and-random.ts";
import { discover, fetchUser, type PoolProvider, ProviderError } from "./cognito/provider.ts";
import type { HttpClient } from "./http-client.ts";
import { startSiteServer } from "./site-server.ts";
import type { Tls } from "./tls.ts";

const CALLBACK_PATH = "/oauth2/idpresponse";
/** "Cancels authentication requests that do not complete within 5 minutes" (flow). */
const REQUEST_TIMEOUT_MS = 300_000;
/** Of a pool's user name, the provider's name in front of it included (API reference, AdminGetUser, `Username`). */
const USERNAME_CHARS_MAX = 128;
/** What a provider's name of any length leaves of that. */
const SUB_CHARS_MAX = 64;
/** "For each mapped user pool attribute, the maximum value length (2048 characters)" (mapping). */
const ATTRIBUTE_CHARS_MAX = 2_048;
const POOL = "eu-central-1_example";
const ID_TOKEN_SEC = 3_600;

/** The app client: who may log in by the pool, and where its users go. */
export interface AppClient {
  clientId: string;
  clientSecret: string;
  callbackUrls: readonly string[];
  /** "Allowed sign-out URLs" (endpoints, "Logout endpoint"). */
  logoutUrls: readonly string[];
}

export interface UserPoolOptions {
  /** The pool's domain, which must lead here. */
  host: string;
  port: number;
  tls: Tls;
  http: HttpClient;
  provider: PoolProvider;
  app: AppClient;
  /** Ports of the provider beside 80 and 443. */
  providerPorts?: readonly number[];
  clock?: Clock;
  /** Default 5 minutes. */
  requestTimeoutMs?: number;
}

/** A profile in the pool; a pool bills each that is active in a month. */
export interface PoolUser {
  readonly sub: string;
  readonly username: string;
  readonly attributes: Record<string, string>;
}

export interface UserPool {
  /** The `iss` of its tokens. */
  readonly issuer: string;
  users(): readonly PoolUser[];
  stop(): Promise<void>;
}

/** A login of the app, on its way through the provider and back. */
interface PendingLogin {
  readonly startedMs: number;
  readonly redirectUri: string;
  readonly state: string | null;
  readonly nonce: string | null;
  readonly codeChallenge: string | null;
}

interface Grant extends PendingLogin {
  readonly user: PoolUser;
}

interface Answer {
  status: number;
  headers?: Record<string, string>;
  body?: string | object;
}

/** The addresses of a pool whose domain is `host` at `port`. */
export function userPoolUris(host: string, port: number) {
  const origin = `https://${host}:${port}`;
  return { origin, redirectUri: `${origin}${CALLBACK_PATH}`, logoutUri: `${origin}/logout` };
}

export async function startUserPool(options: UserPoolOptions): Promise<UserPool> {
  const { http, provider, app, clock = systemClock, requestTimeoutMs = REQUEST_TIMEOUT_MS } = options;
  const { origin, redirectUri } = userPoolUris(options.host, options.port);
  // At AWS `https://cognito-idp.REGION.amazonaws.com/POOL` (endpoints).
  const issuer = `${origin}/${POOL}`;
  const metadata = await discover(http, provider, options.providerPorts ?? []);
  const { privateKey, publicKey } = await generateKeyPair("RS256");
  const keyId = randomUUID();
  const logins = new Map<string, PendingLogin>();
  const grants = new Map<string, Grant>();
  const users = new Map<string, PoolUser>();

  /** With `identity_provider` "it silently redirects your user to the sign-in page for that" provider (endpoints). */
  function authorize(query: URLSearchParams): Answer {
    const callback = query.get("redirect_uri") ?? "";
    const isKnown = query.get("client_id") === app.clientId && app.callbackUrls.includes(callback);
    if (!isKnown || query.get("response_type") !== "code") return { status: 400, body: "invalid_request" };
    // Without it, the pool's own login page; that is not doubled.
    if (query.get("identity_provider") !== provider.name) return { status: 400, body: "choose how to sign in" };
    const key = randomBytes(24).toString("base64url");
    logins.set(key, {
      startedMs: clock.now(),
      redirectUri: callback,
      state: query.get("state"),
      nonce: query.get("nonce"),
      codeChallenge: query.get("code_challenge"),
    });
    const location = new URL(metadata.authorization_endpoint);
    // The scopes are those of the provider's settings, not of the app's request (flow). Neither nonce nor PKCE is documented.
    const parameters = {
      client_id: provider.clientId,
      redirect_uri: redirectUri,
      scope: provider.scopes ?? "openid",
      response_type: "code",
      state: key,
    };
    for (const [name, value] of Object.entries(parameters)) location.searchParams.set(name, value);
    return redirect(location);
  }

  async function finishLogin(query: URLSearchParams): Promise<Answer> {
    const key = query.get("state") ?? "";
    const login = logins.get(key);
    logins.delete(key);
    // "And redirects the user to the hosted UI. The page displays a Something went wrong error message" (flow).
    const isLate = login !== undefined && clock.now() - login.startedMs > requestTimeoutMs;
    if (login === undefined || isLate) return redirect(new URL(`${origin}/error`));
    try {
      const refusal = query.get("error");
      if (refusal !== null) throw new ProviderError(400, refusal, query.get("error_description") ?? "");
      const claims = await fetchUser(http, provider, metadata, query.get("code") ?? "", redirectUri);
      const code = randomBytes(24).toString("base64url");
      grants.set(code, { ...login, user: createOrUpdateUser(claims) });
      return backToApp(login, { code });
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      // With the provider's name and the HTTP error code before it (responses).
      const description = `${provider.name} Error - ${error.status} ${error.code} ${error.message}`;
      return backToApp(login, { error_description: description, error: error.code });
    }
  }

  function backToApp({ redirectUri, state }: PendingLogin, parameters: Record<string, string>): Answer {
    const location = new URL(redirectUri);
    for (const [name, value] of Object.entries(parameters)) location.searchParams.set(name, value);
    if (state !== null) location.searchParams.set("state", state);
    return redirect(location);
  }

  /** "Creates or updates the user account in your user pool" (flow), one for each `sub` of the provider. */
  function createOrUpdateUser({ sub, ...claims }: Record<string, unknown> & { sub: string }): PoolUser {
    const username = `${provider.name}_${sub}`;
    if (sub.length > SUB_CHARS_MAX || username.length > USERNAME_CHARS_MAX) {
      throw new ProviderError(400, "invalid_request", "user name too long");
    }
    const attributes = { ...users.get(username)?.attributes };
    for (const [attribute, claim] of Object.entries(provider.attributeMapping ?? {})) {
      const value = claims[claim];
      // "A previously mapped claim [that] no longer exists in the incoming token … won't be deleted or changed" (mapping).
      if (value === undefined || value === null) continue;
      if (String(value).length > ATTRIBUTE_CHARS_MAX) throw new ProviderError(400, "invalid_request", attribute);
      attributes[attribute] = String(value);
    }
    const user = { sub: users.get(username)?.sub ?? randomUUID(), username, attributes };
    users.set(username, user);
    return user;
  }

  /** The app redeems the pool's code. The pool does not ask the provider again (endpoints, "Token endpoint"). */
  async function issueTokens(form: URLSearchParams, authorization: string | undefined): Promise<Answer> {
    if (!isApp(form, authorization)) return { status: 400, body: { error: "invalid_client" } };
    const code = form.get("code") ?? "";
    const grant = grants.get(code);
    grants.delete(code);
    if (grant === undefined || !isRedeemable(grant, form)) return { status: 400, body: { error: "invalid_grant" } };
    const { user, nonce } = grant;
    const now = Math.floor(clock.now() / 1_000);
    const idToken = await new SignJWT({
      ...user.attributes,
      sub: user.sub,
      "cognito:username": user.username,
      identities: [
        { userId: user.username.slice(provider.name.length + 1), providerName: provider.name, providerType: "OIDC" },
      ],
      token_use: "id",
      auth_time: now,
      ...(nonce !== null && { nonce }),
    })
      .setProtectedHeader({ alg: "RS256", kid: keyId })
      .setIssuer(issuer)
      .setAudience(app.clientId)
      .setIssuedAt(now)
      .setExpirationTime(now + ID_TOKEN_SEC)
      .sign(privateKey);
    const accessToken = randomBytes(24).toString("base64url");
    const body = { id_token: idToken, access_token: accessToken, token_type: "Bearer", expires_in: ID_TOKEN_SEC };
    return { status: 200, body };
  }

  function isApp(form: URLSearchParams, authorization: string | undefined): boolean {
    const basic = `Basic ${Buffer.from(`${app.clientId}:${app.clientSecret}`).toString("base64")}`;
    if (authorization !== undefined) return authorization === basic;
    return form.get("client_id") === app.clientId && form.get("client_secret") === app.clientSecret;
  }

  function isRedeemable({ redirectUri, codeChallenge }: Grant, form: URLSearchParams): boolean {
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    const isBound = codeChallenge === null || challenge === codeChallenge;
    return isBound && form.get("redirect_uri") === redirectUri;
  }

  /** Redirects "to an authorized sign-out URL for your app client" (endpoints, "Logout endpoint"); the provider is not told. */
  function logout(query: URLSearchParams): Answer {
    const url = query.get("logout_uri") ?? "";
    const isAllowed = query.get("client_id") === app.clientId && app.logoutUrls.includes(url);
    return isAllowed ? redirect(new URL(url)) : { status: 400, body: "invalid_request" };
  }

  async function answer(request: IncomingMessage): Promise<Answer> {
    const { pathname, searchParams } = new URL(request.url ?? "/", origin);
    switch (`${request.method} ${pathname}`) {
      case "GET /oauth2/authorize":
        return authorize(searchParams);
      case `GET ${CALLBACK_PATH}`:
        return finishLogin(searchParams);
      case "POST /oauth2/token":
        return issueTokens(await readForm(request), request.headers.authorization);
      case "GET /logout":
        return logout(searchParams);
      case "GET /error":
        return { status: 400, body: "Something went wrong" };
      case `GET /${POOL}/.well-known/openid-configuration`:
        return { status: 200, body: metadataOf(origin, issuer) };
      case `GET /${POOL}/.well-known/jwks.json`:
        return {
          status: 200,
          body: { keys: [{ ...(await exportJWK(publicKey)), kid: keyId, alg: "RS256", use: "sig" }] },
        };
      default:
        return { status: 404, body: "not found" };
    }
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, headers, body = "" } = await answer(request);
    const isText = typeof body === "string";
    response.writeHead(status, { "content-type": isText ? "text/plain" : "application/json", ...headers });
    response.end(isText ? body : JSON.stringify(body));
  }

  const server = await startSiteServer(
    (request, response) => void handle(request, response).catch((error) => response.destroy(error)),
    options,
  );
  return { issuer, users: () => [...users.values()], stop: server.stop };
}

/** What apps discover (endpoints). */
function metadataOf(origin: string, issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${origin}/oauth2/authorize`,
    token_endpoint: `${origin}/oauth2/token`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
    token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
  };
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return new URLSearchParams(Buffer.concat(chunks).toString());
}

function redirect(location: URL): Answer {
  return { status: 302, headers: { location: location.href } };
}
