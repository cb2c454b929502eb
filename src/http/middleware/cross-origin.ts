import type { Context, Middleware } from "koa";
import { UsherError } from "../../lib/errors.ts";
import { fetchSiteOf } from "../../verify/request-hints.ts";

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
 * Changes that a cookie authenticates must come from our own pages. Browsers say so by `Sec-Fetch-Site`, which counts wherever it is
 * sent: an operator may have opened the console at another address than the configured one. Those that do not know it send `Origin`.
 * A request with neither comes from no browser that could be tricked, but is refused as well.
 *
 * @throws UsherError `forbidden`
 */
export function requireSameOrigin(ctx: Context, issuer: string): void {
  const site = fetchSiteOf(ctx.headers);
  const isOurs = issuer !== "" && ctx.get("Origin") === issuer;
  if (site === undefined ? isOurs : site === "same-origin") return;
  throw new UsherError("forbidden", "this change must come from the waiting room's own page");
}
