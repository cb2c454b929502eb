import type { IncomingMessage } from "node:http";
import ipaddr from "ipaddr.js";
import type { Middleware } from "koa";
import { LRUCache } from "lru-cache";
import { UsherError } from "../../lib/errors.ts";
import { hopsMax, preferenceLengthMax } from "../../lib/request-bounds.ts";

/** The client's address; only the configured proxies are believed about it. */
export type ClientAddress = (request: IncomingMessage, forwardedFor: string | undefined) => string;

type Range = ReturnType<typeof ipaddr.parseCIDR>;

/** Whether an address is one of these. */
type IsOneOf = (address: string) => boolean;

/** @param trustedProxies addresses and CIDR ranges */
export function rangesOf(trustedProxies: readonly string[]): IsOneOf {
  const ranges: Range[] = trustedProxies.map((text) => {
    if (text.includes("/")) return ipaddr.parseCIDR(text);
    const address = ipaddr.parse(text);
    return [address, address.kind() === "ipv4" ? 32 : 128];
  });
  const isAmong = (text: string) => {
    if (!ipaddr.isValid(text)) return false;
    const address = ipaddr.process(text);
    return ranges.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
  };
  /** Proxies are few and ask often, and each visitor's address is asked about twice; reading one takes longer than all else here. */
  const known = new LRUCache<string, boolean>({ max: maxKnown });
  return (text) => {
    if (ranges.length === 0) return false;
    let isOne = known.get(text);
    if (isOne === undefined) {
      isOne = isAmong(text);
      if (text.length <= maxAddressLength) known.set(text, isOne);
    }
    return isOne;
  };
}

const maxKnown = 1_000;
/** A longer one is none, and not worth remembering. */
const maxAddressLength = 64;

/**
 * Whether a request comes from a proxy that may say what it was asked for: one of the configured ones, or, where none are,
 * one on this machine.
 *
 * @param trustedProxies addresses and CIDR ranges
 */
export function createAskedByProxy(trustedProxies: readonly string[]): (request: IncomingMessage) => boolean {
  const isProxy = rangesOf(trustedProxies.length > 0 ? trustedProxies : ["127.0.0.0/8", "::1"]);
  return (request) => isProxy(request.socket.remoteAddress ?? "");
}

/**
 * Whether a request comes from one of the configured proxies.
 *
 * @param trustedProxies addresses and CIDR ranges
 */
export function createIsTrustedProxy(trustedProxies: readonly string[]): (request: IncomingMessage) => boolean {
  const isProxy = rangesOf(trustedProxies);
  return (request) => isProxy(request.socket.remoteAddress ?? "");
}

/** @param trustedProxies addresses and CIDR ranges */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const isTrusted = rangesOf(trustedProxies);
  return (request, forwardedFor) => {
    const peer = request.socket.remoteAddress ?? "";
    if (forwardedFor === undefined || !isTrusted(peer)) return peer;
    // From the nearest hop outwards, the first address that is not a trusted proxy is the client.
    let client = peer;
    let end = forwardedFor.length;
    for (let hops = 0; hops < hopsMax && end >= 0; hops++) {
      const comma = forwardedFor.lastIndexOf(",", end - 1);
      client = forwardedFor.slice(comma + 1, end).trim();
      if (!isTrusted(client)) break;
      end = comma;
    }
    return ipaddr.isValid(client) ? client : peer;
  };
}

/** What a request said of host and protocol before these were replaced. Believe it of proxies only. */
export interface ForwardedOrigin {
  readonly host: string | undefined;
  readonly forwardedHost: string | undefined;
  readonly forwardedProto: string | undefined;
}

const preferences = ["accept", "accept-encoding", "accept-language"] as const;

/**
 * Comes first: replaces host and protocol by the issuer's, so that nothing behind it can be misled by Host
 * or X-Forwarded-* headers, and drops those headers.
 */
export function pinOrigin(issuer: string, clientAddress: ClientAddress): Middleware {
  const { host, protocol } = new URL(issuer);
  const scheme = protocol.slice(0, -1);
  return (ctx, next) => {
    const { headers } = ctx.req;
    // A long header is no preference: content negotiation would look at each of its items many times.
    for (const name of preferences) if ((headers[name]?.length ?? 0) > preferenceLengthMax) delete headers[name];
    // Refused as soon as errors can be answered (see below); until then nobody reads anything from it.
    if (!isPath(ctx.originalUrl)) ctx.req.url = "/";
    const forwardedFor = headers["x-forwarded-for"];
    // Few requests want to know it.
    ctx.state.clientAddress = () => clientAddress(ctx.req, forwardedFor?.toString());
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
    return next();
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

function isPath(target: string): boolean {
  return target.startsWith("/") && !unreadable.test(target);
}

/** A target that is no path is somebody else's: another server's address, or none at all. */
export function refuseForeignTargets(issuer: string): Middleware {
  return (ctx, next) => {
    if (isPath(ctx.originalUrl)) return next();
    if (ctx.originalUrl.startsWith("/")) {
      throw new UsherError("bad_request", "the address has a fragment (#), or a no-break space", { status: 400 });
    }
    throw new UsherError("bad_request", `this server answers for ${issuer} alone`, { status: 421 });
  };
}
