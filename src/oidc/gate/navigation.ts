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

/** The parameter `theme` of a query: a name of a theme, or what can be one. What can't is none. */
export function themeNameOf(query: string): string | undefined {
  if (!query.includes("theme=")) return undefined;
  const name = new URLSearchParams(query).get("theme") ?? "";
  return /^[a-z0-9][a-z0-9-]{0,31}$/.test(name) ? name : undefined;
}

/** More languages than these are no wish any more. */
const tagsMax = 10;
/** Characters of that many, with what separates them. */
const lengthMax = 360;

/**
 * The parameter `ui_locales` of a query (OpenID Connect Core 3.1.2.1, RP-Initiated Logout 1.0 §2): tags, most wanted first,
 * separated by single spaces. What can be no tag is left out; undefined where nothing is left.
 */
export function uiLocalesOf(query: string): string | undefined {
  // Few requests have it, and every waiting page asks.
  if (!query.includes("ui_locales=")) return undefined;
  const written = new URLSearchParams(query).get("ui_locales")?.slice(0, lengthMax) ?? "";
  const tags = written.split(/\s+/).filter((tag) => /^[a-z0-9_-]{1,35}$/i.test(tag));
  return tags.length === 0 ? undefined : tags.slice(0, tagsMax).join(" ");
}
