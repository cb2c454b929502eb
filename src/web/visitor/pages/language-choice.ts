import type { Middleware } from "koa";
import { UsherError } from "../../../lib/errors.ts";
import { seeOther } from "../../../oidc/index.ts";
import { readSameOriginForm } from "../../middleware/read-body.ts";
import type { VisitorParts } from "../parts.ts";
import { addressBefore, isLocalAddress } from "./page-request.ts";

type LanguageParts = Pick<VisitorParts, "issuer" | "cookies"> & { readonly languages: readonly string[] };

/**
 * `POST /language`, the chooser at the foot of our pages: keeps the language in a cookie and leads back to the page, whose
 * address is in the form, or else in `Referer`. A place in line is not touched.
 *
 * @param languages tags of those that there are
 */
export function languageChoice({ issuer, cookies, languages }: LanguageParts): Middleware {
  return async (ctx) => {
    const form = await readSameOriginForm(ctx, issuer);
    const chosen = form.get("language");
    // Of the list, never as it came: it goes into a header.
    const tag = languages.find((each) => each === chosen);
    if (tag === undefined) throw new UsherError("bad_request", "there is no such language");
    const before = addressBefore(ctx, issuer);
    const returnTo = form.get("return") || (isLocalAddress(before) ? before : "/");
    if (!isLocalAddress(returnTo)) throw new UsherError("bad_request", "the address to return to is not valid");
    cookies.language.set(ctx.res, tag);
    seeOther(ctx, returnTo);
  };
}
