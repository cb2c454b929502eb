/** What is done with a request before anything reads it: its target is bounded, host and protocol are the issuer's, and it gets a name; and which proxies are believed. */
import type { IncomingMessage, RequestListener } from "node:http";
import type { Context, Middleware } from "koa";
import { LRUCache } from "lru-cache";
import { createRangeFinder } from "../../lib/address-ranges.ts";
import type { Random } from "../../lib/clock-and-random.ts";
import { UsherError } from "../../lib/errors.ts";
import { nodeAddress } from "../../lib/node-address.ts";
import { dropLongPreferences, hasTooManyPairs, hopsMax, pairsMax, pathOf, targetLengthMax } from "../../lib/request.ts";
import { roomIdShape } from "../../lib/room-id.ts";

/** Characters of a refused target that logs and pages may see. */
const printedLengthMax = 256;
/** A proxy appends the target of a request to a site, of whose parameters nobody here reads any but the token. */
const appendedTarget = new RegExp(`^/rooms/${roomIdShape}/verify/`);

const refusals = new WeakMap<IncomingMessage, UsherError>();

/**
 * Runs before everything that reads targets. Cuts a target that is too long, or has too many parameters, to the
 * beginning of its path; `refuseUnboundedTargets` answers with an error as soon as errors can be rendered.
 */
export function boundTargets(listener: RequestListener): RequestListener {
  return (request, response) => {
    const target = request.url ?? "";
    const refusal = refusalFor(target);
    if (refusal !== null) {
      refusals.set(request, refusal);
      request.url = target.slice(0, printedLengthMax).split("?", 1)[0] ?? "/";
    }
    listener(request, response);
  };
}

export function isRefused(request: IncomingMessage): boolean {
  return refusals.has(request);
}

/** @throws UsherError `request_too_long`, `bad_request` */
export const refuseUnboundedTargets: Middleware = (ctx, next) => {
  const refusal = refusals.get(ctx.req);
  if (refusal !== undefined) throw refusal;
  return next();
};

function refusalFor(target: string): UsherError | null {
  if (target.length > targetLengthMax) {
    const message = `the address of this request is longer than ${targetLengthMax} characters`;
    return new UsherError("request_too_long", message);
  }
  if (!hasTooManyPairs(target) || appendedTarget.test(target)) return null;
  return new UsherError("bad_request", `the address of this request has more than ${pairsMax} parameters`);
}

/** What a request said of host and protocol before these were replaced. Believe it of proxies only. */
export interface ForwardedOrigin {
  readonly host: string | undefined;
  readonly forwardedHost: string | undefined;
  readonly forwardedProto: string | undefined;
}

/**
 * Comes first: replaces host and protocol by the issuer's, so that nothing behind it can be misled by Host
 * or X-Forwarded-* headers, and drops those headers.
 */
export function createOriginPin(
  issuer: string,
  { clientOf }: Pick<TrustedProxies, "clientOf">,
): (ctx: Context) => void {
  const { host, protocol } = new URL(issuer);
  const scheme = protocol.slice(0, -1);
  return (ctx) => {
    const { headers } = ctx.req;
    // A long header is no preference: content negotiation would look at each of its items many times.
    dropLongPreferences(headers);
    // Refused as soon as errors can be answered (see below); until then nobody reads anything from it.
    if (!isPath(ctx.originalUrl)) ctx.req.url = "/";
    const forwardedFor = headers["x-forwarded-for"];
    // Few requests want to know it.
    ctx.state.clientAddress = () => clientOf(ctx.req, forwardedFor?.toString());
    ctx.state.forwardedFor = forwardedFor?.toString();
    ctx.state.forwarded = {
      host: headers.host,
      forwardedHost: headers["x-forwarded-host"]?.toString(),
      forwardedProto: headers["x-forwarded-proto"]?.toString(),
    } satisfies ForwardedOrigin;
    headers.host = host;
    delete headers.forwarded;
    delete headers["x-forwarded-for"];
    delete headers["x-forwarded-host"];
    headers["x-forwarded-proto"] = scheme;
  };
}

/**
 * Tells the path and query of a request's target, which may name the issuer's host before them (RFC 9112, section 3.2.2), with
 * either scheme, since TLS may end at a proxy. Any other target comes back as it is: see `refuseForeignTargets`.
 */
export function createOriginForm(issuer: string): (target: string) => string {
  const { host } = new URL(issuer);
  return (target) => {
    if (target.startsWith("/")) return target;
    const [, scheme, authority, rest = ""] = /^(https?):\/\/([^/?#]*)(.*)$/i.exec(target) ?? [];
    const usualPort = scheme?.toLowerCase() === "https" ? /:443$/ : /:80$/;
    if (authority?.toLowerCase().replace(usualPort, "") !== host) return target;
    return rest.startsWith("/") ? rest : `/${rest}`;
  };
}

/**
 * RFC 9112, section 3.2.1, knows no fragment. With one, or with a no-break space, Koa would read the target by other rules, by
 * which a backslash is a slash.
 */
const unreadable = /[#\u00a0]/;

/** Whether a request's target is a path of this server, and reads as one. */
export function isPath(target: string): boolean {
  return target.startsWith("/") && !unreadable.test(target);
}

/** A target that is no path is somebody else's: another server's address, or none at all. */
export function refuseForeignTargets(issuer: string): Middleware {
  return (ctx, next) => {
    if (isPath(ctx.originalUrl)) return next();
    if (ctx.originalUrl.startsWith("/")) {
      throw new UsherError("bad_request", "the address has a fragment (#), or a no-break space");
    }
    throw new UsherError("bad_request", `this server answers for ${issuer} alone`, { status: 421 });
  };
}

/** Names each request: in logs, on error pages, and in the header `X-Request-Id`, which the waiting page does without. */
export function createRequestNames(random: Random): (ctx: Context) => void {
  const prefix = random.bytes(6).toString("base64url");
  let count = 0;
  return (ctx) => {
    const requestId = `${prefix}-${(count++).toString(36)}`;
    ctx.state.requestId = requestId;
    if (pathOf(ctx.req.url ?? "") !== "/authorize") ctx.set("X-Request-Id", requestId);
  };
}

export type TrustedProxies = ReturnType<typeof createTrustedProxies>;

const cacheMax = 1_000;
/** A longer one is no address, and not worth remembering. */
const maxAddressLength = 64;

/** The configured proxies: they alone are believed about a request. @param list addresses and CIDR ranges */
export function createTrustedProxies(list: readonly string[]) {
  const has = isAmong(list);
  const isForwarder = list.length > 0 ? has : isAmong(["127.0.0.0/8", "::1"]);
  return {
    has,
    /** Whether a request comes from one that may say what it was asked for; where none are configured, from this machine. */
    mayAsk: (request: IncomingMessage): boolean => isForwarder(request.socket.remoteAddress ?? ""),
    /** The client's address. What can't be read names nobody: then it is that of the peer. */
    clientOf(request: IncomingMessage, forwardedFor: string | undefined): string {
      const peer = request.socket.remoteAddress ?? "";
      if (forwardedFor === undefined || !has(peer)) return peer;
      // From the nearest hop outwards, the first address that is not a trusted proxy is the client.
      let client = peer;
      let end = forwardedFor.length;
      for (let hops = 0; hops < hopsMax && end >= 0; hops++) {
        const comma = forwardedFor.lastIndexOf(",", end - 1);
        client = nodeAddress(forwardedFor.slice(comma + 1, end)) ?? "";
        if (!has(client)) break;
        end = comma;
      }
      return client === "" ? peer : client;
    },
  };
}

/**
 * Cached, since parsing an address is the most expensive part of the lookup: the few proxies occur in every request, and each visitor's address is
 * looked up twice.
 */
function isAmong(list: readonly string[]): (address: string) => boolean {
  const find = createRangeFinder(list.map((range) => [range, true]));
  const cache = new LRUCache<string, boolean>({ max: cacheMax });
  return (text) => {
    if (list.length === 0) return false;
    const found = cache.get(text) ?? find(text) === true;
    if (text.length <= maxAddressLength) cache.set(text, found);
    return found;
  };
}
