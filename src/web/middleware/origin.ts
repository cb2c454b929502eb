import type { Context, Middleware } from "koa";
import { UsherError } from "../../lib/errors.ts";
import type { Random } from "../../lib/random.ts";
import { dropLongPreferences, pathOf } from "../../lib/request.ts";
import type { TrustedProxies } from "./proxies.ts";

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
