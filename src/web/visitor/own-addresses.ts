/**
 * Addresses of this server, path and query, that a request carries in its headers or its form: where a visitor was, and may be
 * sent back to.
 */
import type { Context } from "koa";
import { isWithinBounds, referredFrom } from "../../lib/request.ts";
import { roomIdShape } from "../../lib/room-id.ts";

const ownAddress = /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/;
const isAuthorizationRequest = /^\/authorize\?[\x21-\x7e]*$/;
const inRoom = `^/rooms/(${roomIdShape})/`;
const isInRoom = new RegExp(inRoom);
const isLink = new RegExp(`${inRoom}enter\\?[\\x21-\\x7e]*$`);
const isMoveLink = new RegExp(`${inRoom}move\\?place=[\\w.-]*$`);
const isBypassLink = new RegExp(`${inRoom}bypass\\?link=[\\w.~-]*$`);

/** Whether an address is one of this server, so that a visitor may be sent there. */
export function isOwnAddress(address: string): boolean {
  return isWithinBounds(address) && ownAddress.test(address);
}

/** The room whose page stands at an address. */
export function roomIn(address: string): string | undefined {
  return isInRoom.exec(address)?.[1];
}

/** The page of this issuer on which a link or a button was pressed; empty if there was none, or the browser does not say. */
export function addressBefore(ctx: Context, issuer: string): string {
  const address = referredFrom(issuer, ctx.req.headers) ?? "";
  return isWithinBounds(address) ? address : "";
}

/**
 * The authorization request or the link to a room from whose page the visitor pressed a button; undefined where the browser
 * does not say.
 */
export function referrerOf(ctx: Context, issuer: string): string | undefined {
  const address = addressBefore(ctx, issuer);
  if (isAuthorizationRequest.test(address) || isLink.test(address)) return address;
  return isLink.test(`${address}?`) ? `${address}?` : undefined;
}

/**
 * Whether an address is one at which a room's gate stands, or of a bypass link of the room, or of a link that carries a place
 * of it.
 */
export function isWayInto(room: string, address: string): boolean {
  if (!isWithinBounds(address)) return false;
  const ofRoom = [isLink, isBypassLink, isMoveLink];
  return isAuthorizationRequest.test(address) || ofRoom.some((pattern) => pattern.exec(address)?.[1] === room);
}
