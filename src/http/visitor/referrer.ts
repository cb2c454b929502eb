import type { Context } from "koa";
import { isWithinBounds } from "../../lib/request-bounds.ts";
import { addressBefore } from "./page-wishes.ts";

/**
 * The authorization request or the link to a room, path and query, from whose page the visitor pressed a button; undefined
 * where the browser does not say.
 */
export function referrerOf(ctx: Context, issuer: string): string | undefined {
  const address = addressBefore(ctx, issuer);
  if (isAuthorizationRequest.test(address) || isLink.test(address)) return address;
  return isLink.test(`${address}?`) ? `${address}?` : undefined;
}

/**
 * Whether an address, path and query, is one at which a room's gate stands, or of a bypass link of the room, or of a link that
 * carries a place of it.
 */
export function isWayInto(room: string, address: string): boolean {
  if (!isWithinBounds(address)) return false;
  return (
    isAuthorizationRequest.test(address) ||
    isLink.exec(address)?.[1] === room ||
    isBypassLink.exec(address)?.[1] === room ||
    isMoveLink.exec(address)?.[1] === room
  );
}

const isAuthorizationRequest = /^\/authorize\?[\x21-\x7e]*$/;
const isLink = /^\/rooms\/([a-z0-9][a-z0-9-]*)\/enter\?[\x21-\x7e]*$/;
const isMoveLink = /^\/rooms\/([a-z0-9][a-z0-9-]*)\/move\?place=[\w.-]*$/;
const isBypassLink = /^\/rooms\/([a-z0-9][a-z0-9-]*)\/bypass\?link=[\w.~-]*$/;
