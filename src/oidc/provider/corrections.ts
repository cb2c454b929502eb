/** Where what oidc-provider does by itself is not what the specifications ask for, or not safe, it is corrected here. */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { decodeJwt } from "jose";
import type { Middleware } from "koa";
import type { KoaContextWithOIDC, Provider } from "oidc-provider";
import { PROFILES } from "../../config/index.ts";
import { pairsMax } from "../../lib/request.ts";
import type { ClientDirectory } from "../../registry/index.ts";
import { answerWithoutContent } from "../gate/navigation.ts";

/** Seconds. */
const retryAfterSec = 2;

/** By oidc-provider's names of its routes. */
const corrections: Readonly<Record<string, (ctx: KoaContextWithOIDC, clients: ClientDirectory) => void>> = {
  authorization: leaveIssuerOutOfErrors,
  discovery: offerPushedRequests,
  introspection: refusePublicClients,
  token: nameRefusedGrant,
};

/** Goes around oidc-provider's endpoints: what they know of a request, its client above all, they know once they have answered. */
export function correctAnswers(clients: ClientDirectory): Middleware {
  return async (outer, next) => {
    await next();
    const ctx = outer as unknown as KoaContextWithOIDC;
    // Set by oidc-provider, for its own routes only.
    const oidc: KoaContextWithOIDC["oidc"] | undefined = ctx.oidc;
    if (oidc !== undefined) corrections[oidc.route]?.(ctx, clients);
    if (ctx.status === 503) ctx.set("Retry-After", String(retryAfterSec));
    if (ctx.body === "") answerWithoutContent(ctx);
    escapeJson(ctx);
  };
}

/**
 * Some relying parties push their requests wherever that is offered, and a pushed request does not outlive a minute in line. So it is
 * offered where a client is held to it.
 */
function offerPushedRequests({ body }: KoaContextWithOIDC, { all }: ClientDirectory): void {
  if (all.some(({ requirePushedAuthorizationRequests }) => requirePushedAuthorizationRequests)) return;
  delete (body as { pushed_authorization_request_endpoint?: string }).pushed_authorization_request_endpoint;
}

/**
 * A relying party that begins a login wherever its redirect URI gets an `iss` and no code would begin one for each error, over and over.
 * So errors by GET come without (a departure from RFC 9207, section 2), and it shows them.
 */
function leaveIssuerOutOfErrors(ctx: KoaContextWithOIDC, { get }: ClientDirectory): void {
  const client = get(ctx.oidc.client?.clientId ?? "");
  const location = ctx.response.get("Location");
  if (client === undefined || !PROFILES[client.profile].restart.takesThirdPartyLogin || !URL.canParse(location)) return;
  const to = new URL(location);
  if (!to.searchParams.has("error")) return;
  to.searchParams.delete("iss");
  ctx.redirect(to.href);
}

/** Introspection is for a client that proves who it is (RFC 7662 §2.1), which a public client cannot. */
function refusePublicClients(ctx: KoaContextWithOIDC): void {
  if (ctx.oidc.client?.clientAuthMethod !== "none") return;
  ctx.status = 401;
  ctx.body = { error: "invalid_client", error_description: "a public client may not introspect tokens" };
}

/** RFC 6749 §5.1 and §5.2: the headers of every answer, and the code for a grant that this client may not use. */
function nameRefusedGrant(ctx: KoaContextWithOIDC): void {
  ctx.set("Pragma", "no-cache");
  const { client, params } = ctx.oidc;
  const answer = ctx.body as { error?: string } | undefined;
  if (answer?.error !== "invalid_request" || typeof params?.grant_type !== "string") return;
  if (client?.grantTypeAllowed(params.grant_type) === false) answer.error = "unauthorized_client";
}

/**
 * What a request brought along, its `state` say, comes back in JSON in a spelling that is markup to nobody, whatever takes the
 * answer for a page.
 */
function escapeJson(ctx: KoaContextWithOIDC): void {
  const body: unknown = ctx.body;
  if (typeof body !== "object" || body === null || Object.getPrototypeOf(body) !== Object.prototype) return;
  ctx.body = JSON.stringify(body).replaceAll("<", "\\u003c");
}

/**
 * ID tokens of the token endpoint say which access token came with them (`at_hash`, OpenID Connect Core 3.1.3.6): relying
 * parties that check it may rely on it. oidc-provider hashes what it finds under that name when it signs, but puts it only
 * beside tokens of the authorization endpoint, which issues none here.
 */
export function bindAccessTokens({ IdToken }: Provider): void {
  const { issue } = IdToken.prototype;
  IdToken.prototype.issue = function issueBound(context) {
    // An opaque token is its own id.
    if (context.use === "idtoken") this.set("at_hash", this.ctx.oidc.entities.AccessToken?.jti);
    return issue.call(this, context);
  };
}

const ampersand = 0x26;

/**
 * oidc-provider reads forms itself, up to 56 kB of them (its lib/shared/selective_body.js), and would parse as many fields as
 * fit: the reading ends at one too many, and the answer is `invalid_request`.
 */
export function boundForm(request: IncomingMessage): void {
  const read = request.iterator.bind(request);
  request.iterator = async function* (options) {
    let pairs = 1;
    for await (const chunk of read(options) as AsyncIterable<Buffer>) {
      for (let at = chunk.indexOf(ampersand); at >= 0; at = chunk.indexOf(ampersand, at + 1)) pairs++;
      if (pairs > pairsMax) throw new RangeError(`the form has more than ${pairsMax} fields`);
      yield chunk;
    }
  };
}

/** RFC 7617, section 2: one token of base64. */
const basic = /^Basic ([A-Za-z0-9+/]+={0,2})$/i;

/**
 * A client encodes its id and secret as a form does before they become `Basic` (RFC 6749, section 2.3.1). Many do not, and half of all
 * secrets in base64 have a `+`, which oidc-provider would read as a space. So what is right as it stands counts, too: it is
 * encoded here. Each reading is compared with all secrets of the client, in constant time, whatever the other one comes to.
 */
export function acceptPlainCredentials(clients: Pick<ClientDirectory, "acceptsSecret">): Middleware {
  return (ctx, next) => {
    const { headers } = ctx.req;
    const [, encoded] = basic.exec(headers.authorization ?? "") ?? [];
    if (encoded !== undefined) {
      const text = Buffer.from(encoded, "base64").toString("utf8");
      const [id = "", secret] = splitAtColon(text);
      const isRight = secret !== undefined && clients.acceptsSecret(id, secret);
      // What can't be decoded has one reading, and is refused for being wrong.
      if (secret !== undefined && (isRight || !(isEncoded(id) && isEncoded(secret)))) {
        const pair = `${encodeURIComponent(id)}:${encodeURIComponent(secret)}`;
        headers.authorization = `Basic ${Buffer.from(pair).toString("base64")}`;
      }
    }
    return next();
  };
}

function splitAtColon(text: string): [id: string, secret: string | undefined] {
  const at = text.indexOf(":");
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** How an answer comes, and what it carries back. */
const ofAnswers = ["response_mode", "state"] as const;

/**
 * Request objects are not supported. The refusal, `request_not_supported`, comes as the request asks for, and that may stand in
 * the object alone (OpenID Connect Core 6.1), as oidc-provider reads it where it takes objects. No signature is checked: whoever
 * sends the object could write the same into the query.
 */
export const refuseObjectsAsTheyAsk: Middleware = (ctx, next) => {
  const { request, ...query } = ctx.query;
  if (ctx.path !== "/authorize" || typeof request !== "string" || request === "") return next();
  const object = claimsOf(request);
  for (const name of ofAnswers) {
    const value = object[name];
    // RFC 6749 3.1: a parameter without a value counts as left out.
    if ((query[name] ?? "") === "" && typeof value === "string") query[name] = value;
  }
  ctx.query = { ...query, request };
  return next();
};

function claimsOf(object: string): Readonly<Record<string, unknown>> {
  try {
    return decodeJwt(object);
  } catch {
    return {};
  }
}

/** What Koa signs cookies with and verifies them by. */
interface CookieSignatures {
  sign(data: string): string;
  verify(data: string, signature: string): boolean;
  /** By which of the keys it was signed; -1: by none. */
  index(data: string, signature: string): number;
}

/** HMAC-SHA-256, where Koa by itself would take SHA-1. The first key signs, all verify. */
export function createCookieSignatures(keys: readonly string[]): CookieSignatures {
  const mac = (data: string, key: string) => createHmac("sha256", key).update(data).digest();
  const index = (data: string, signature: string) => {
    const presented = Buffer.from(signature, "base64url");
    return keys.findIndex((key) => {
      const expected = mac(data, key);
      return expected.length === presented.length && timingSafeEqual(expected, presented);
    });
  };
  return {
    sign: (data) => mac(data, keys[0] ?? "").toString("base64url"),
    verify: (data, signature) => index(data, signature) >= 0,
    index,
  };
}
