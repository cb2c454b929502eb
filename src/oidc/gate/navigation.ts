/** How browsers are sent on, and what a query says of the pages that they are to see. */
import type { Context, Middleware } from "koa";
import { UsherError } from "../../lib/errors.ts";
import { targetLengthMax } from "../../lib/request.ts";

/** Sends the browser on, by GET, to an address that is used as it is. */
export function seeOther(ctx: Context, location: string): void {
  ctx.status = 303;
  ctx.set("Location", location);
  ctx.set("Cache-Control", "no-store");
  answerWithoutContent(ctx);
}

/** What has no content has no type (RFC 9110, section 8.3). Koa calls an empty text `text/plain`. */
export function answerWithoutContent(ctx: Context): void {
  ctx.body = "";
  ctx.remove("Content-Type");
}

/**
 * A request that a relying party may send by POST as well (OpenID Connect Core 3.1.2.1, RP-Initiated Logout 1.0 §2) is
 * answered with a redirect to the same request by GET, so that it comes back as a navigation on which the visitor's
 * SameSite=Lax cookies are sent. Sets no cookie.
 *
 * @param readForm reads the body of a form post as a query string.
 */
export function redirectPostToGet(path: string, readForm: (ctx: Context) => Promise<string>): Middleware {
  return async (ctx) => {
    const query = await readForm(ctx);
    const target = `${path}?${query}`;
    if (target.length > targetLengthMax) throw new UsherError("body_too_large", "the request is too long");
    // Encoded as it says it is, it fits a header as it stands.
    if (!/^[\x21-\x7e]*$/.test(query)) {
      throw new UsherError("bad_request", "the body is not application/x-www-form-urlencoded");
    }
    seeOther(ctx, target);
  };
}
