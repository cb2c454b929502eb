import type { IncomingMessage } from "node:http";
import ipaddr from "ipaddr.js";
import type { Middleware } from "koa";

/** The address of whoever sent a request, believing only the configured proxies about it. */
export type ClientAddress = (request: IncomingMessage, forwardedFor: string | undefined) => string;

type Range = ReturnType<typeof ipaddr.parseCIDR>;

/** @param trustedProxies addresses and CIDR ranges */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const ranges: Range[] = trustedProxies.map((text) => {
    if (text.includes("/")) return ipaddr.parseCIDR(text);
    const address = ipaddr.parse(text);
    return [address, address.kind() === "ipv4" ? 32 : 128];
  });
  const isTrusted = (text: string) => {
    if (ranges.length === 0 || !ipaddr.isValid(text)) return false;
    const address = ipaddr.process(text);
    return ranges.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
  };

  return (request, forwardedFor) => {
    const peer = request.socket.remoteAddress ?? "";
    if (forwardedFor === undefined || !isTrusted(peer)) return peer;
    const hops = forwardedFor.split(",");
    // From the nearest hop outwards, the first that is no proxy of ours is the client.
    let client = peer;
    for (const hop of hops.reverse()) {
      client = hop.trim();
      if (!isTrusted(client)) break;
    }
    return ipaddr.isValid(client) ? client : peer;
  };
}

/**
 * Comes first: replaces host and protocol by the issuer's, so that nothing behind it can be misled by Host
 * or X-Forwarded-* headers, and drops those headers.
 */
export function pinOrigin(issuer: string, clientAddress: ClientAddress): Middleware {
  const { host, protocol } = new URL(issuer);
  const scheme = protocol.slice(0, -1);
  return (ctx, next) => {
    const { headers } = ctx.req;
    ctx.req.url = originForm(ctx.req.url ?? "/");
    const forwardedFor = headers["x-forwarded-for"];
    // Few requests want to know it.
    ctx.state.clientAddress = () => clientAddress(ctx.req, forwardedFor?.toString());
    headers.host = host;
    delete headers.forwarded;
    delete headers["x-forwarded-for"];
    delete headers["x-forwarded-host"];
    headers["x-forwarded-proto"] = scheme;
    return next();
  };
}

/**
 * The path and query of a request's target. An absolute target (RFC 9112 3.2.2) names a host of its own, which
 * Koa would take for the address of this server.
 */
function originForm(target: string): string {
  if (target.startsWith("/")) return target;
  const rest = /^https?:\/\/[^/?#]*(.*)$/i.exec(target)?.[1] ?? "";
  return rest.startsWith("/") ? rest : `/${rest}`;
}
