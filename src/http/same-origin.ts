import type { Context } from "koa";
import { UsherError } from "../lib/errors.ts";

/**
 * Changes that a cookie authenticates must come from our own pages. Browsers say so by `Sec-Fetch-Site` or
 * `Origin`; a request with neither comes from no browser that could be tricked, but is refused as well.
 *
 * @throws UsherError `forbidden`
 */
export function requireSameOrigin(ctx: Context, issuer: string): void {
  const site = ctx.get("Sec-Fetch-Site");
  if (site === "same-origin") return;
  if (site === "" && ctx.get("Origin") === issuer) return;
  throw new UsherError("forbidden", "this change must come from the waiting room's own page", { status: 403 });
}
