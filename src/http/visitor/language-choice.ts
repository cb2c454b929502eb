import type { Context, Middleware } from "koa";
import { UsherError } from "../../lib/errors.ts";
import { seeOther, type VisitorCookies } from "../../oidc/index.ts";
import { readForm } from "../middleware/read-body.ts";
import { requireSameOrigin } from "../middleware/same-origin.ts";
import { addressBefore, isOwnAddress } from "./page-wishes.ts";

export interface LanguageChoiceOptions {
  readonly issuer: string;
  readonly cookies: Pick<VisitorCookies, "setLanguage">;
  /** Tags of the languages that there are. */
  readonly languages: readonly string[];
}

/**
 * `POST /language`, the chooser at the foot of our pages: keeps the language in a cookie and leads back to the page, whose
 * address is in the form, or else in `Referer`. A place in line is not touched.
 */
export function languageChoice({ issuer, cookies, languages }: LanguageChoiceOptions): Middleware {
  return async (ctx, next) => {
    if (ctx.path !== "/language") return next();
    if (ctx.method !== "POST") throw onlyPost(ctx);
    requireSameOrigin(ctx, issuer);
    const form = new URLSearchParams(await readForm(ctx));
    const chosen = form.get("language");
    // Of the list, never as it came: it goes into a header.
    const tag = languages.find((each) => each === chosen);
    if (tag === undefined) throw new UsherError("bad_request", "there is no such language", { status: 400 });
    const before = addressBefore(ctx, issuer);
    const returnTo = form.get("return") || (isOwnAddress(before) ? before : "/");
    if (!isOwnAddress(returnTo)) {
      throw new UsherError("bad_request", "the address to return to is not valid", { status: 400 });
    }
    cookies.setLanguage(ctx.res, tag);
    seeOther(ctx, returnTo);
  };
}

function onlyPost(ctx: Context): UsherError {
  ctx.set("Allow", "POST");
  return new UsherError("method_not_allowed", "this address takes POST", { status: 405 });
}
