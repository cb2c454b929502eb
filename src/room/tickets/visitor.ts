import type { Random } from "../../lib/random.ts";

/**
 * A new visitor of a room: `room.random`, at most 55 characters. The room is part of it, so that
 * visitors of two rooms never mix; the rest is 128 random bits, which grant nothing by themselves.
 */
export function createVisitorId(room: string, random: Random): string {
  return `${room}.${random.bytes(16).toString("base64url")}`;
}

/** The room that a visitor belongs to; undefined for a text that is no visitor id. */
export function roomOfVisitor(sub: string): string | undefined {
  return /^([a-z0-9][a-z0-9-]{0,31})\.[A-Za-z0-9_-]{22}$/.exec(sub)?.[1];
}
