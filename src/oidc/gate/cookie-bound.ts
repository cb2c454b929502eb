/**
 * A browser sends the cookies of all rooms with each request, and proxies refuse a request whose header is too long. So what it keeps of rooms
 * is bounded, and applied by every answer that adds a cookie of a room: the oldest that wait for nothing go first, and never what a place that
 * counts needs.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { ArrivalStamps, WaitingRoom, WaitingRooms } from "../../room/index.ts";
import type { AddedCookie, RoomCookie, VisitorCookies } from "./visitor-cookies.ts";

/** Of all rooms. */
export const roomCookiesMax = 20;
/** Characters of all of them, with their names. */
export const roomCookieBytesMax = 4_096;
/** With the most characters that it has. */
const ticket: AddedCookie = { name: "", length: 300 };
/** What the answer may add besides. */
const [reservedCookies, reservedBytes] = [2, 300];
/** Of one answer: proxies bound its header, too. */
const clearedMax = 16;
/** Fewer characters than any browser with too many sends, beside a cookie of at most a ticket's length. */
const neverTooLong = 800;

type Exchange = { readonly req: IncomingMessage; readonly res: ServerResponse };

/**
 * Takes from the browser what is too much. Asks no store.
 *
 * @param visited the room that the visitor comes to, whose cookies stay but for other sign-ins that were begun
 * @param added the cookie that the browser is to keep; default: a ticket
 * @returns the rooms in which the browser has a place that counts, where it can keep no such cookie beside them; else null
 */
export type CookieBound = (exchange: Exchange, visited: string, added?: AddedCookie) => readonly WaitingRoom[] | null;

export function createCookieBound(
  cookies: Pick<VisitorCookies, "ofRooms" | "named">,
  rooms: Pick<WaitingRooms, "get">,
  stamps: Pick<ArrivalStamps, "read">,
): CookieBound {
  /** Whether a place, or an arrival that gets one when the store is back. What cannot be read, or is not synced yet, may be. */
  function counts(room: WaitingRoom, { suffix, value }: RoomCookie): boolean {
    if (suffix === ".arrival") return room.availability !== "ready" && stamps.read(room.id, value) !== undefined;
    if (suffix !== "" && !isCopy(suffix)) return false;
    const presented = room.read(value);
    if (presented.kind === "none") return false;
    return presented.kind !== "ticket" || room.describe(presented.ticket)?.state !== "expired";
  }

  /** Rooms other than the visited one whose cookies stay. */
  function placesIn(all: readonly RoomCookie[], visited: string): Map<string, WaitingRoom> {
    const places = new Map<string, WaitingRoom>();
    for (const cookie of all) {
      const room = cookie.room === visited ? undefined : rooms.get(cookie.room);
      if (room !== undefined && !places.has(room.id) && counts(room, cookie)) places.set(room.id, room);
    }
    return places;
  }

  return ({ req, res }, visited, added = ticket) => {
    if ((req.headers.cookie?.length ?? 0) < neverTooLong && added.length <= ticket.length) return null;
    const all = cookies.ofRooms(req).filter(({ name }) => name !== added.name);
    const remaining = new Set(all);
    let bytes = all.reduce((sum, { length }) => sum + length, added.length + reservedBytes);
    const isTooMuch = () => remaining.size + reservedCookies > roomCookiesMax || bytes > roomCookieBytesMax;
    if (!isTooMuch()) return null;
    const places = placesIn(all, visited);
    const names = new Set(all.map(({ name }) => name));
    const stays = (cookie: RoomCookie) =>
      cookie.room === visited ? !isSignIn(cookie) : places.has(cookie.room) && isNeeded(cookie);
    const isSecondCopy = ({ room, name, suffix }: RoomCookie) =>
      room !== visited && isCopy(suffix) && names.has(name.slice(0, -suffix.length));
    let cleared = 0;
    for (const mayGo of [(cookie: RoomCookie) => !stays(cookie), isSecondCopy]) {
      for (const cookie of all) {
        if (!isTooMuch()) break;
        if (!mayGo(cookie) || !remaining.delete(cookie)) continue;
        bytes -= cookie.length;
        if (cleared++ < clearedMax) cookies.named(cookie.name).clear(res);
      }
    }
    const ofPlaces = [...remaining].filter(({ room }) => room !== visited).length;
    const isFull = ofPlaces >= roomCookiesMax || bytes - reservedBytes > roomCookieBytesMax;
    return isFull && places.size > 0 ? [...places.values()] : null;
  };
}

const isSignIn = ({ suffix }: RoomCookie) => suffix.startsWith(".sign-in.");

/** Of a room with a place. The others are of a moment, and the visitor passes that moment again. */
function isNeeded({ suffix }: RoomCookie): boolean {
  return ["", ".arrival", ".key", ".identity"].includes(suffix) || isCopy(suffix);
}

/** A copy of a place beside the ticket matters to pages that a browser opens at one moment alone, so it goes before a place is refused. */
function isCopy(suffix: string): boolean {
  return suffix.startsWith(".place.");
}
