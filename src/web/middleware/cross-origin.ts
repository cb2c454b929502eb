import type { IncomingHttpHeaders } from "node:http";
import type { Context, Middleware } from "koa";
import { UsherError } from "../../lib/errors.ts";
import { fetchSiteOf } from "../../lib/request.ts";
import type { ForwardedOrigin } from "./incoming.ts";

/** The origin of the page whose script asks; undefined where none says so. */
export function originOf({ origin }: IncomingHttpHeaders): string | undefined {
  return origin;
}

/** Lets scripts of any site use the public API, without credentials. Never on /admin. */
export const allowAnyOrigin: Middleware = async (ctx, next) => {
  ctx.set("Access-Control-Allow-Origin", "*");
  if (ctx.method !== "OPTIONS") return next();
  answerPreflight(ctx);
};

/**
 * Lets scripts of some sites use a part of the public API that must not be everybody's, without credentials. What sends no
 * `Origin` is no page's script: browsers send it with every POST (Fetch Standard, section 3.1).
 *
 * @throws UsherError `forbidden` by the middleware
 */
export function allowOrigins(isAllowed: (ctx: Context, origin: string) => boolean): Middleware {
  return async (ctx, next) => {
    const origin = ctx.get("Origin");
    ctx.vary("Origin");
    if (origin !== "" && !isAllowed(ctx, origin)) {
      throw new UsherError("forbidden", "pages of this origin take no places: name it in allowed_origins of the room");
    }
    if (origin !== "") ctx.set("Access-Control-Allow-Origin", origin);
    if (ctx.method !== "OPTIONS") return next();
    answerPreflight(ctx);
  };
}

function answerPreflight(ctx: Context): void {
  ctx.set("Access-Control-Allow-Methods", "GET, POST, DELETE");
  ctx.set("Access-Control-Allow-Headers", "Authorization, Content-Type, DPoP");
  ctx.set("Access-Control-Max-Age", "86400");
  ctx.status = 204;
}

/**
 * Changes that a cookie authenticates must come from our own pages. Browsers say so by `Sec-Fetch-Site` and `Origin`, older ones by
 * `Origin` alone; what either of them denies is refused. A request with neither comes from no browser that could be tricked, but is
 * refused as well.
 *
 * @throws UsherError `forbidden`
 */
export function requireSameOrigin(ctx: Context, issuer: string): void {
  const site = fetchSiteOf(ctx.headers);
  const origin = ctx.get("Origin");
  const isOurs = (issuer !== "" && origin === issuer) || isAddressOf(ctx, origin, site === "same-origin");
  // A page with `Referrer-Policy: no-referrer` has the origin "null".
  const isUnsaid = origin === "" || origin === "null";
  if (site === undefined ? isOurs : site === "same-origin" && (isOurs || isUnsaid)) return;
  throw new UsherError("forbidden", "this change must come from the waiting room's own page");
}

const loopback = /^http:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/;

/**
 * Whether an origin is the address that the browser itself asked, such as http://127.0.0.1:3000 of a console that is opened on this
 * machine. Without `Sec-Fetch-Site` only an address of this machine is known to be no other's.
 */
function isAddressOf(ctx: Context, origin: string, saysSameOrigin: boolean): boolean {
  const host = (ctx.state.forwarded as ForwardedOrigin | undefined)?.host;
  if (host === undefined || !(saysSameOrigin || loopback.test(origin))) return false;
  return origin === `http://${host}` || origin === `https://${host}`;
}
