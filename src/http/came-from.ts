import type { Context } from "koa";

/**
 * The authorization request, path and query, from whose page the visitor pressed a button; undefined where the browser
 * does not say.
 */
export function authorizationRequestBehind(ctx: Context, issuer: string): string | undefined {
  const referer = ctx.get("Referer");
  return referer.startsWith(`${issuer}/authorize?`) ? referer.slice(issuer.length) : undefined;
}
