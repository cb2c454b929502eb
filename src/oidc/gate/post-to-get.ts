import type { Context, Middleware } from "koa";
import { UsherError } from "../../lib/errors.ts";
import { targetLengthMax } from "../../lib/request-bounds.ts";
import { seeOther } from "./see-other.ts";

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
    if (target.length > targetLengthMax) {
      throw new UsherError("body_too_large", "the request is too long", { status: 413 });
    }
    // Encoded as it says it is, it fits a header as it stands.
    if (!/^[\x21-\x7e]*$/.test(query)) {
      throw new UsherError("bad_request", "the body is not application/x-www-form-urlencoded", { status: 400 });
    }
    seeOther(ctx, target);
  };
}
