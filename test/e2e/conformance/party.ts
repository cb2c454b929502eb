/**
 * A relying party as the OpenID Foundation's conformance suite plays one: authorization code flow, its secret by
 * `client_secret_basic`, no PKCE unless a module is about it. Every answer of the token endpoint is checked as that suite does.
 */
import { createHash } from "node:crypto";
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, type JWTPayload, jwtVerify } from "jose";
import { expect } from "vitest";
import type { HttpResponse } from "../../support/http-client.ts";
import { codeIn, createRelyingParty, type LoginRequest, type RelyingParty } from "../../support/relying-party.ts";
import type { Page, Visitor } from "../../support/visitor.ts";
import { clientId, redirectUri, type World } from "../world.ts";

export interface IssuedTokens {
  readonly access_token: string;
  readonly refresh_token?: string;
  readonly id_token: string;
  readonly scope?: string;
  readonly claims: JWTPayload & Record<string, unknown>;
}

export interface Entered {
  readonly visitor: Visitor;
  readonly login: LoginRequest;
  readonly code: string;
  readonly page: Page;
}

export interface Party {
  readonly site: RelyingParty;
  start(parameters?: Record<string, string | null>): LoginRequest;
  /** One visit to the authorization endpoint; the page that is returned is the redirect back, or whatever came instead. */
  ask(login: LoginRequest, visitor?: Visitor): Promise<Page>;
  /** As far as the code. */
  enter(parameters?: Record<string, string | null>, visitor?: Visitor): Promise<Entered>;
  redeem(entered: Entered, changes?: Record<string, string | null>): Promise<HttpResponse>;
  /** The whole way; a visitor who has been here is logged in again. */
  logIn(parameters?: Record<string, string | null>, visitor?: Visitor): Promise<Entered & { tokens: IssuedTokens }>;
  userinfo(accessToken: string): Promise<Record<string, unknown>>;
}

const noPkce = { code_challenge: null, code_challenge_method: null };

export interface PartyOptions {
  /** Default `basic`; `none` is a public client. */
  authentication?: "basic" | "post" | "none";
  /** Default false. */
  usesPkce?: boolean;
}

/** The client of a room. */
export function createParty(
  world: World,
  room: string,
  { usesPkce = false, authentication = "basic" }: PartyOptions = {},
): Party {
  const { http, issuer } = world;
  const site =
    authentication === "none"
      ? createRelyingParty({ http, issuer, clientId: clientId(room), redirectUri: redirectUri(room) })
      : world.relyingParty(room, { authentication });
  const start = (parameters: Record<string, string | null> = {}) =>
    site.startLogin({ ...(!usesPkce && noPkce), ...parameters });
  const ask = (login: LoginRequest, visitor = world.visitor()) =>
    visitor.navigate(login.url, { stopAt: ({ origin }) => origin !== world.issuer });

  const enter: Party["enter"] = async (parameters, visitor = world.visitor()) => {
    const login = start(parameters);
    const page = await ask(login, visitor);
    const state = login.url.searchParams.get("state") ?? "";
    return { visitor, login, page, code: codeIn(page, state, world.issuer) };
  };
  const redeem: Party["redeem"] = ({ code, login }, given = {}) =>
    site.redeem(code, login, { ...(!usesPkce && { code_verifier: null }), ...given });

  return {
    site,
    start,
    ask,
    enter,
    redeem,
    async logIn(parameters, visitor) {
      const entered = await enter(parameters, visitor);
      const nonce = entered.login.url.searchParams.get("nonce");
      return { ...entered, tokens: await readTokens(world, room, await redeem(entered), nonce) };
    },
    async userinfo(accessToken) {
      const answer = await site.userinfo(accessToken);
      expect([answer.status, answer.header("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
      return answer.json() as Record<string, unknown>;
    },
  };
}

/** OpenID Connect Core 3.1.3.3 and 3.1.3.7; `nonce` is that of the request, null where there was none. */
export async function readTokens(
  world: World,
  room: string,
  answer: HttpResponse,
  nonce: string | null,
): Promise<IssuedTokens> {
  expect(answer.status, answer.body).toBe(200);
  expect(answer.header("content-type")).toMatch(/^application\/json\b/);
  expect([answer.header("cache-control"), answer.header("pragma")]).toEqual(["no-store", "no-cache"]);
  const tokens = answer.json() as IssuedTokens & { token_type: string; expires_in: number };
  expect(tokens.token_type.toLowerCase()).toBe("bearer");
  expect(Number.isInteger(tokens.expires_in) && tokens.expires_in > 0).toBe(true);
  expect(tokens.access_token).toMatch(/^[\x20-\x7e]+$/);

  const { keys } = (await world.http.get(`${world.issuer}/.well-known/jwks.json`)).json() as JSONWebKeySet;
  const { alg, kid } = decodeProtectedHeader(tokens.id_token);
  expect(alg).toBe("RS256");
  expect(keys.filter((key) => key.kid === kid)).toHaveLength(1);
  const { payload } = await jwtVerify(tokens.id_token, createLocalJWKSet({ keys }), {
    issuer: world.issuer,
    audience: clientId(room),
    algorithms: ["RS256"],
    requiredClaims: ["sub", "iat", "exp"],
    maxTokenAge: "5 minutes",
  });
  expect(payload.sub).toMatch(/^[\x21-\x7e]{1,255}$/);
  expect(payload.nonce ?? null).toBe(nonce);
  // Claims that nobody asked for: a name would be one.
  expect(payload).not.toHaveProperty("name");
  expect(payload.at_hash).toBe(leftHalf(tokens.access_token));
  return { ...tokens, claims: payload };
}

function leftHalf(text: string): string {
  return createHash("sha256").update(text).digest().subarray(0, 16).toString("base64url");
}

/** The error that a redirect back carries, with what must come along (RFC 6749 4.1.2.1, RFC 9207). */
export function errorIn(page: Page, login: LoginRequest, world: World): string | null {
  const answer = page.location?.searchParams;
  expect(answer?.get("code") ?? null, page.body.slice(0, 300)).toBeNull();
  expect([answer?.get("state"), answer?.get("iss")]).toEqual([login.url.searchParams.get("state"), world.issuer]);
  return answer?.get("error") ?? null;
}

/** What form_post would post, from oidc-provider's page. */
export function postedBy(html: string): URLSearchParams {
  const inputs = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  return new URLSearchParams(Object.fromEntries(inputs.map(([, name, value]) => [name, value])));
}
