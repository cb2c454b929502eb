import type { Middleware } from "koa";
import { UsherError } from "../lib/errors.ts";
import { maxQueryLength } from "./authorization-request.ts";

/**
 * `/authorize` by POST (OpenID Connect Core 3.1.2.1) is answered with a redirect to the same request by GET,
 * so that it comes back as a navigation on which the visitor's SameSite=Lax cookies are sent. Sets no cookie.
 *
 * @param readForm reads the body of a form post as a query string.
 */
export function redirectPostToGet(readForm: (ctx: Parameters<Middleware>[0]) => Promise<string>): Middleware {
  return async (ctx) => {
    const query = await readForm(ctx);
    if (query.length > maxQueryLength) {
      throw new UsherError("body_too_large", "the authorization request is too long", { status: 413 });
    }
    ctx.status = 303;
    ctx.set("Location", `/authorize?${query}`);
    ctx.set("Cache-Control", "no-store");
    ctx.body = "";
  };
}
