import type { Context } from "koa";
import { isWithinBounds } from "../../lib/request-bounds.ts";
import { createVisitorCookies, uiLocalesOf } from "../../oidc/index.ts";
import type { Accept } from "../../pages/index.ts";

/** Of the pages of one issuer. */
export interface PageLanguages {
  /** The tag of a room's own language; undefined where it has none. */
  usualOf(room: string): string | undefined;
  /** For pages of no room. */
  readonly usual?: string | undefined;
  /** Whether visitors can choose one here. */
  readonly areOffered: boolean;
}

/** The address of a page, as far as it is safe to lead back to. */
const ownAddress = /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/;
/** Whether an address, path and query, is one of this server, so that a visitor may be sent there. */
export function isOwnAddress(address: string): boolean {
  return isWithinBounds(address) && ownAddress.test(address);
}

/**
 * Reads what a request says about the page that it can take, and in which language. The answer to a form has no address of its
 * own: it goes by the page that the form stood on. And what a page was asked to be in, those that it leads to are in as well.
 *
 * @param room the one that the page belongs to; by default, the one in its address
 */
export function createPageWishes(issuer: string, languages: PageLanguages): (ctx: Context, room?: string) => Accept {
  const cookies = createVisitorCookies(issuer.startsWith("https:"));

  return (ctx, room) => {
    const { req } = ctx;
    const encoding = req.headers["accept-encoding"];
    const isForm = ctx.method === "POST";
    const before = addressBefore(ctx, issuer);
    const address = isForm ? before : (ctx.originalUrl ?? "");
    const roomId = room ?? roomIn(address) ?? roomIn(ctx.originalUrl ?? "");
    return {
      gzip: typeof encoding === "string" && /\bgzip\b(?!\s*;\s*q=0(\.0+)?\s*(,|$))/.test(encoding),
      language: req.headers["accept-language"],
      chosen: cookies.readLanguage(req),
      uiLocales: uiLocalesOf(queryOf(address)) ?? uiLocalesOf(queryOf(before)) ?? cookies.readUiLocales(req),
      usual: (roomId === undefined ? undefined : languages.usualOf(roomId)) ?? languages.usual,
      here: languages.areOffered ? (address === "" || isOwnAddress(address) ? address : "/") : undefined,
    };
  };
}

/**
 * Path and query of the page of this issuer on which a link or a button was pressed; empty if there was none, or the
 * browser does not say.
 */
export function addressBefore(ctx: Context, issuer: string): string {
  const referer = ctx.get("Referer");
  const address = referer.startsWith(`${issuer}/`) ? referer.slice(issuer.length) : "";
  return isWithinBounds(address) ? address : "";
}

function queryOf(address: string): string {
  const at = address.indexOf("?");
  return at < 0 ? "" : address.slice(at + 1);
}

/** The room whose page stands at an address, path and query. */
export function roomIn(address: string): string | undefined {
  return /^\/rooms\/([a-z0-9][a-z0-9-]*)\//.exec(address)?.[1];
}
