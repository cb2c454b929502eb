import type { IncomingMessage, ServerResponse } from "node:http";

/**
 * The visitor's cookies: one ticket a room, an arrival stamp while no positions can be had, where links sent the browser lately,
 * and the languages of the pages.
 * `__Host-` binds them to this host; an http issuer (localhost) has to do without.
 */
export interface VisitorCookies {
  readTicket(request: IncomingMessage, room: string): string | undefined;
  clearTicket(response: ServerResponse, room: string): void;
  setTicket(response: ServerResponse, room: string, token: string): void;
  /** The `Set-Cookie` header that `setTicket` would add. */
  ticketCookie(room: string, token: string): string;
  readStamp(request: IncomingMessage, room: string): string | undefined;
  setStamp(response: ServerResponse, room: string, token: string): void;
  clearStamp(response: ServerResponse, room: string): void;
  /** Where this browser was sent lately by a link to the room, without a token: names, joined by dots. May be anything, too. */
  readSent(request: IncomingMessage, room: string): string | undefined;
  setSent(response: ServerResponse, room: string, names: string, maxAgeSec: number): void;
  /** The tag of the language that the visitor chose. Anybody can write the cookie, so it may be anything. */
  readLanguage(request: IncomingMessage): string | undefined;
  setLanguage(response: ServerResponse, tag: string): void;
  /** `ui_locales` of a request that a fresh one takes the place of: tags, separated by spaces. May be anything, too. */
  readUiLocales(request: IncomingMessage): string | undefined;
  setUiLocales(response: ServerResponse, tags: string): void;
}

/** The longest that browsers keep a cookie: 400 days. A visitor who comes back stays the same `sub`. */
const ticketMaxAgeSec = 400 * 24 * 3_600;
const languageMaxAgeSec = 365 * 24 * 3_600;
/** A fresh login begins at once, unless the site has a page before it. */
const uiLocalesMaxAgeSec = 600;
/** From the last page that set it: a countdown may be looked at for days. */
const stampMaxAgeSec = 30 * 24 * 3_600;

export function createVisitorCookies(isSecure: boolean): VisitorCookies {
  const prefix = isSecure ? "__Host-usher-" : "usher-";
  const attributes = `; Path=/; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
  const ticketName = (room: string) => `${prefix}${room}`;
  const stampName = (room: string) => `${prefix}${room}.arrival`;
  const sentName = (room: string) => `${prefix}${room}.sent`;
  // A room's id has no dot, so no room's ticket is called like these.
  const languageName = `${isSecure ? "__Host-" : ""}usher.language`;
  const uiLocalesName = `${isSecure ? "__Host-" : ""}usher.ui-locales`;
  const cookieOf = (name: string, value: string, maxAgeSec: number) =>
    `${name}=${value}; Max-Age=${maxAgeSec}${attributes}`;
  const set = (response: ServerResponse, name: string, value: string, maxAgeSec: number) => {
    const cookie = cookieOf(name, value, maxAgeSec);
    const others = response.getHeader("Set-Cookie");
    // The last value for a name replaces earlier ones of the same response.
    const kept = Array.isArray(others) ? others.filter((other) => !other.startsWith(`${name}=`)) : [];
    response.setHeader("Set-Cookie", [...kept, cookie]);
  };

  return {
    readTicket: (request, room) => readCookie(request.headers.cookie, ticketName(room)),
    setTicket: (response, room, token) => set(response, ticketName(room), token, ticketMaxAgeSec),
    clearTicket: (response, room) => set(response, ticketName(room), "", 0),
    ticketCookie: (room, token) => cookieOf(ticketName(room), token, ticketMaxAgeSec),
    readStamp: (request, room) => readCookie(request.headers.cookie, stampName(room)),
    setStamp: (response, room, token) => set(response, stampName(room), token, stampMaxAgeSec),
    clearStamp: (response, room) => set(response, stampName(room), "", 0),
    readSent: (request, room) => readCookie(request.headers.cookie, sentName(room)),
    setSent: (response, room, names, maxAgeSec) => set(response, sentName(room), names, maxAgeSec),
    readLanguage: (request) => readCookie(request.headers.cookie, languageName),
    setLanguage: (response, tag) => set(response, languageName, tag, languageMaxAgeSec),
    // A cookie's value has no spaces, and a tag has no dots.
    readUiLocales: (request) => readCookie(request.headers.cookie, uiLocalesName)?.replaceAll(".", " "),
    setUiLocales: (response, tags) => set(response, uiLocalesName, tags.replaceAll(" ", "."), uiLocalesMaxAgeSec),
  };
}

/** The value of the first cookie of that name. Our values need no decoding. Cookies of others are skipped unread: they may be many. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  if (header === undefined) return undefined;
  const named = `${name}=`;
  for (let at = header.indexOf(named); at >= 0; at = header.indexOf(named, at + named.length)) {
    let before = at - 1;
    while (header.charCodeAt(before) === 32) before--;
    if (before >= 0 && header.charCodeAt(before) !== 59) continue;
    const end = header.indexOf(";", at);
    return header.slice(at + named.length, end < 0 ? header.length : end).trim();
  }
  return undefined;
}
