/**
 * A browser sends the cookies of all rooms with each request, and proxies refuse a request whose header is too long. So what it keeps of rooms
 * is bounded: the oldest that wait for nothing go first, and never a place that counts.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { WaitingRoom, WaitingRooms } from "../../room/index.ts";
import type { RoomCookie, VisitorCookies } from "./visitor-cookies.ts";

/** Of all rooms. */
export const roomCookiesMax = 20;
/** Characters of all of them, with their names. */
export const roomCookieBytesMax = 4_096;
/** What an answer may add to what the request has. */
const [reservedCookies, reservedBytes] = [2, 600];
/** Of one answer: proxies bound its header, too. */
const clearedMax = 16;
/** Fewer characters than any browser with too many sends. */
const neverTooLong = 800;

export type CookieBound = ReturnType<typeof createCookieBound>;

export function createCookieBound(
  cookies: Pick<VisitorCookies, "ofRooms" | "named">,
  rooms: Pick<WaitingRooms, "get">,
) {
  /** What cannot be read, or is not known yet, may count. */
  function placeOf({ room: id, suffix, value }: RoomCookie): WaitingRoom | null {
    const room = suffix === "" ? rooms.get(id) : undefined;
    if (room === undefined) return null;
    const presented = room.read(value);
    if (presented.kind === "none") return null;
    const state = presented.kind === "ticket" ? room.describe(presented.ticket)?.state : undefined;
    return state === "expired" ? null : room;
  }

  /**
   * Takes from the browser what is too much. Asks no store.
   *
   * @param visited the room that the visitor comes to, whose cookies stay
   * @returns the rooms in which the browser has a place that counts, where it can keep no other; else null
   */
  return ({ req, res }: { readonly req: IncomingMessage; readonly res: ServerResponse }, visited: string) => {
    if ((req.headers.cookie?.length ?? 0) < neverTooLong) return null;
    const all = cookies.ofRooms(req);
    let count = all.length + reservedCookies;
    let bytes = all.reduce((sum, { length }) => sum + length, reservedBytes);
    const isTooMuch = () => count > roomCookiesMax || bytes > roomCookieBytesMax;
    if (!isTooMuch()) return null;
    const places: WaitingRoom[] = [];
    let cleared = 0;
    for (const cookie of all) {
      if (cookie.room === visited) continue;
      const place = placeOf(cookie);
      if (place !== null) places.push(place);
      else if (isTooMuch()) {
        count--;
        bytes -= cookie.length;
        if (cleared++ < clearedMax) cookies.named(cookie.name).clear(res);
      }
    }
    const isFull = places.length >= roomCookiesMax || bytes - reservedBytes / 2 > roomCookieBytesMax;
    return isFull ? places : null;
  };
}
