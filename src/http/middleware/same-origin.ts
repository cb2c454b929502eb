import type { Context } from "koa";
import { UsherError } from "../../lib/errors.ts";

/**
 * Changes that a cookie authenticates must come from our own pages. Browsers say so by `Sec-Fetch-Site` or
 * `Origin`; a request with neither comes from no browser that could be tricked, but is refused as well.
 *
 * @throws UsherError `forbidden`
 */
export function requireSameOrigin(ctx: Context, issuer: string): void {
  const origin = ctx.get("Origin");
  const site = ctx.get("Sec-Fetch-Site");
  if (origin === issuer && (site === "same-origin" || site === "")) return;
  // A page with `Referrer-Policy: no-referrer` has the origin "null". Any other foreign origin is refused.
  if ((origin === "" || origin === "null") && site === "same-origin") return;
  throw new UsherError("forbidden", "this change must come from the waiting room's own page", { status: 403 });
}
