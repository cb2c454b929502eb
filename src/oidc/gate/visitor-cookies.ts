/**
 * What a browser keeps of rooms: its cookies, and among them the ticket. Pages that a browser opens at one moment join each on its own, since none of
 * their requests has a cookie yet, and the last answer's ticket replaces the others. So a new place is also set as a cookie of its own (a
 * spare) for some minutes: of several places the earliest counts, and the others are given back. A place counts only in a browser that was
 * given it.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { roomIdShape } from "../../lib/room-id.ts";
import { numberOf, rememberRequest, type Ticket, type WaitingRoom } from "../../room/index.ts";

const daySec = 24 * 3_600;
/** Pages that were opened at one moment meet, or are loaded again, within this time. */
const spareMaxAgeSec = 600;
/** More than a person opens at one moment. Others are left unread: each costs a MAC, and a line of the answer's header. */
const sparesMax = 32;
/** From the last page that set it: a countdown may be looked at for days. */
const stampMaxAgeSec = 30 * daySec;
/** Until the next login of the link: see links/enter.ts, which says how long that is. */
const sentMaxAgeSec = 30;
/** Longer than any pass counts, and any answer to a check. */
const checkMaxAgeSec = 1_200;
/** For as long as a proof of the browser's key counts, for the login or link that it was made for. */
export const deviceMaxAgeSec = 60;
const missingMaxAgeSec = 600;
const languageMaxAgeSec = 365 * daySec;
/** What a person may take to sign in at a room's provider. */
export const attemptMaxAgeSec = 600;
/** For as long as having signed in there counts. */
export const identityMaxAgeSec = daySec;
/** A fresh login begins at once, unless the site has a page before it. */
const restartMaxAgeSec = 600;

/** A cookie of a room, as a request has it. */
export interface RoomCookie {
  readonly name: string;
  readonly room: string;
  /** What it is of the room: empty for the ticket. */
  readonly suffix: string;
  readonly value: string;
  /** Characters, as they stand in the header. */
  readonly length: number;
}

/** A cookie that an answer adds. */
export interface AddedCookie {
  readonly name: string;
  readonly length: number;
}

/** One of the visitor's cookies. Anybody can write a cookie, so what is read may be anything. */
class VisitorCookie {
  readonly #name: string;
  readonly #maxAgeSec: number;
  readonly #attributes: string;

  constructor(name: string, maxAgeSec: number, attributes: string) {
    this.#name = name;
    this.#maxAgeSec = maxAgeSec;
    this.#attributes = attributes;
  }

  read({ headers }: IncomingMessage): string | undefined {
    return readCookie(headers.cookie, this.#name);
  }

  /** What it takes of a request's header. */
  with(value: string): AddedCookie {
    return { name: this.#name, length: this.#name.length + value.length + 3 };
  }

  /** The `Set-Cookie` header that `set` adds. */
  header(value: string, maxAgeSec = this.#maxAgeSec): string {
    return `${this.#name}=${value}; Max-Age=${maxAgeSec}${this.#attributes}`;
  }

  /** The last value for a name replaces earlier ones of the same response. */
  set(response: ServerResponse, value: string, maxAgeSec = this.#maxAgeSec): void {
    const others = response.getHeader("Set-Cookie");
    const preserved = Array.isArray(others) ? others.filter((other) => !other.startsWith(`${this.#name}=`)) : [];
    response.setHeader("Set-Cookie", [...preserved, this.header(value, maxAgeSec)]);
  }

  clear(response: ServerResponse): void {
    this.set(response, "", 0);
  }
}

function cachedCookie(cookies: Map<string, VisitorCookie>, room: string, make: () => VisitorCookie): VisitorCookie {
  const cached = cookies.get(room);
  if (cached !== undefined) return cached;
  const created = make();
  cookies.set(room, created);
  return created;
}

export type VisitorCookies = ReturnType<typeof createVisitorCookies>;

/** `__Host-` binds the cookies to this host; an http issuer (localhost) has to do without. */
export function createVisitorCookies(isSecure: boolean) {
  const prefix = isSecure ? "__Host-usher" : "usher";
  const attributes = `; Path=/; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
  const isOfRoom = new RegExp(`^${prefix}-(${roomIdShape})(\\.[^=]*)?$`);
  const isSpare = /^([0-9a-z]+-[0-9a-z]+)=([^;]*)/;
  const cookie = (name: string, maxAgeSec: number) => new VisitorCookie(prefix + name, maxAgeSec, attributes);
  const [tickets, stamps] = [new Map<string, VisitorCookie>(), new Map<string, VisitorCookie>()];
  return {
    /** To be set for as long as `ticketMaxAgeSec` says. @param room id of one that there is: every request asks, so its cookie is kept */
    ticket: (room: string) => cachedCookie(tickets, room, () => cookie(`-${room}`, stampMaxAgeSec)),
    /** A second copy of a new place: see "Several places of one browser" in docs/architecture.md. */
    spare: (room: string, name: string) => cookie(`-${room}.place.${name}`, spareMaxAgeSec),
    /** Those that a request has, the oldest first. */
    sparesIn({ headers }: IncomingMessage, room: string): { readonly name: string; readonly value: string }[] {
      const before = `${prefix}-${room}.place.`;
      if (!headers.cookie?.includes(before)) return [];
      return headers.cookie.split(before, sparesMax + 1).flatMap((each) => {
        const [, name, value] = isSpare.exec(each) ?? [];
        return name === undefined || value === undefined ? [] : [{ name, value: value.trim() }];
      });
    },
    /** The arrival stamp, while no positions can be had. @param room id of one that there is */
    stamp: (room: string) => cachedCookie(stamps, room, () => cookie(`-${room}.arrival`, stampMaxAgeSec)),
    /** The session of a check before a join: that it was asked, a wait under way, or the pass for what was done. */
    check: (room: string) => cookie(`-${room}.check`, checkMaxAgeSec),
    /** What the browser has just shown of the key that its place is bound to. */
    device: (room: string) => cookie(`-${room}.device`, deviceMaxAgeSec),
    /** The key by which the visitor has one place; kept as long as its proof counts. */
    key: (room: string) => cookie(`-${room}.key`, stampMaxAgeSec),
    /** Who the visitor is, encrypted, in a room for which they sign in; kept as long as that counts. */
    identity: (room: string) => cookie(`-${room}.identity`, identityMaxAgeSec),
    /** A sign-in that was begun, encrypted. */
    attempt: (room: string, name: string) => cookie(`-${room}.sign-in.${name}`, attemptMaxAgeSec),
    /** All cookies of rooms, as browsers sort them: the oldest first. */
    ofRooms({ headers }: IncomingMessage): RoomCookie[] {
      return namedPairs(headers.cookie ?? "", `${prefix}-`).flatMap((pair) => {
        const name = pair.slice(0, Math.max(0, pair.indexOf("=")));
        const [, room, suffix = ""] = isOfRoom.exec(name) ?? [];
        const value = pair.slice(name.length + 1);
        return room === undefined ? [] : [{ name, room, suffix, value, length: pair.length + 2 }];
      });
    },
    /** One of them. */
    named: (name: string) => new VisitorCookie(name, stampMaxAgeSec, attributes),
    /** Where a link to the room sent this browser lately, without a token: names, joined by dots. */
    sent: (room: string) => cookie(`-${room}.sent`, sentMaxAgeSec),
    // A room's id has no dot, so no room's ticket is called like these.
    /** The tag of the language that the visitor chose. */
    language: cookie(".language", languageMaxAgeSec),
    /** `ui_locales` of a request that a fresh one takes the place of: tags, joined by dots. */
    uiLocales: cookie(".ui-locales", restartMaxAgeSec),
    /**
     * That a file of a page did not come: written by the page itself, `src/web/browser/linked.ts`, whatever the issuer. It decides
     * nothing but what the page carries.
     */
    assets: new VisitorCookie("usher.assets", missingMaxAgeSec, attributes),
    /** The theme that such a request named. */
    theme: cookie(".theme", restartMaxAgeSec),
  };
}

/** The cookies whose names begin so. Those of others are skipped unread: they may be many. */
function namedPairs(header: string, start: string): string[] {
  const pairs: string[] = [];
  for (let at = header.indexOf(start), end = 0; at >= 0; at = header.indexOf(start, end)) {
    const next = header.indexOf(";", at);
    end = next < 0 ? header.length : next;
    let before = at - 1;
    while (header.charCodeAt(before) === 32) before--;
    if (before < 0 || header.charCodeAt(before) === 59) pairs.push(header.slice(at, end).trim());
  }
  return pairs;
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

export type TicketCookies = Pick<VisitorCookies, "ticket" | "spare" | "sparesIn" | "ofRooms">;
type Presented = ReturnType<WaitingRoom["read"]>;
type Exchange = { readonly req: IncomingMessage; readonly res: ServerResponse };

export interface BrowserTickets {
  /** The ticket that counts. */
  readonly presented: Presented;
  /** Of the browser's other places in the room. */
  readonly surplus: readonly Ticket[];
}

/** With how many cookies of rooms a browser keeps a new place twice. */
const cookiesBesideSpare = 14;

/** What a browser presents for a room. Asks no store. */
export function readTickets(cookies: TicketCookies, room: WaitingRoom, request: IncomingMessage): BrowserTickets {
  const presented = room.read(cookies.ticket(room.id).read(request));
  if (presented.kind !== "ticket" || presented.ticket.position === 0) return { presented, surplus: [] };
  const { ticket } = presented;
  const spares = cookies.sparesIn(request, room.id).filter(({ name }) => name !== nameOf(ticket));
  // The place of a key is one in all browsers.
  if (spares.length === 0 || room.isByKey) return { presented, surplus: [] };
  const others = spares.flatMap(({ name, value }) => {
    const spare = room.read(value);
    // Under another name it may be the very place that counts. That of another key would be of no use to this visitor.
    const isOther = spare.kind === "ticket" && nameOf(spare.ticket) === name && spare.ticket.device === ticket.device;
    return isOther ? [spare.ticket] : [];
  });
  const earliest = ticket.claim === null ? earliestOf(room, [ticket, ...others]) : ticket;
  return {
    presented: earliest === ticket ? presented : { kind: "ticket", ticket: withRequestsOf(earliest, ticket) },
    surplus: [ticket, ...others].filter((each) => each !== earliest),
  };
}

/** The ticket that counts. Asks no store. */
export function readTicket(cookies: TicketCookies, room: WaitingRoom, request: IncomingMessage): Presented {
  return readTickets(cookies, room, request).presented;
}

/**
 * By the numbers that the joins gave, and not by what a draw made of them: nobody keeps the best of several entries. A place in line that has
 * expired does not stand in the way of one that still counts.
 */
function earliestOf(room: WaitingRoom, tickets: readonly [Ticket, ...Ticket[]]): Ticket {
  const counting = tickets.filter((each) => each.entry != null || room.describe(each)?.state !== "expired");
  const [first, ...others] = counting.length > 0 ? counting : tickets;
  return others.reduce<Ticket>((best, each) => (isEarlier(each, best) ? each : best), first ?? tickets[0]);
}

function isEarlier(one: Ticket, other: Ticket): boolean {
  return one.edition === other.edition ? numberOf(one) < numberOf(other) : one.edition > other.edition;
}

/** All that the browser's pages came with. */
function withRequestsOf(ticket: Ticket, { requests, restarts }: Ticket): Ticket {
  const all = requests.reduce(
    (cached, { hash, firstSeenMs, series }) => rememberRequest(cached, hash, firstSeenMs, series),
    ticket.requests,
  );
  return { ...ticket, requests: all, restarts };
}

/** Names the cookie of a place. */
export function nameOf(ticket: Ticket): string {
  return `${ticket.edition.toString(36)}-${numberOf(ticket).toString(36)}`;
}

/** The `Set-Cookie` headers that `keepTicket` adds. */
export function ticketHeaders(cookies: TicketCookies, room: WaitingRoom, ticket: Ticket, hasSpare: boolean): string[] {
  const text = room.encode(ticket);
  const header = cookies.ticket(room.id).header(text, ticketMaxAgeSec(room));
  return hasSpare ? [header, cookies.spare(room.id, nameOf(ticket)).header(text)] : [header];
}

/** @param hasSpare the place was given just now, and stands in a cookie of its own, too */
export function keepTicket(
  cookies: TicketCookies,
  room: WaitingRoom,
  response: ServerResponse,
  ticket: Ticket,
  hasSpare = false,
): void {
  const text = room.encode(ticket);
  cookies.ticket(room.id).set(response, text, ticketMaxAgeSec(room));
  if (hasSpare) cookies.spare(room.id, nameOf(ticket)).set(response, text);
}

/** Whether a place that is given now is kept in a cookie of its own, too. Those of earlier ones count no more. */
export function takesSpare(cookies: TicketCookies, room: WaitingRoom, { req, res }: Exchange): boolean {
  forgetSpares(cookies, room, { req, res });
  // Where the browser has many cookies, the last answer counts.
  return !room.isByKey && cookies.ofRooms(req).length <= cookiesBesideSpare;
}

/** What the browser had of earlier places counts no more. */
export function forgetSpares(cookies: TicketCookies, room: WaitingRoom, { req, res }: Exchange): void {
  for (const { name } of cookies.sparesIn(req, room.id)) cookies.spare(room.id, name).clear(res);
}

const dayMs = 86_400_000;
/** For visitors who come back a little later: they stay the same `sub`. */
const moreMs = 14 * dayMs;
/** Of a line that nobody has set an end to, from when it lets people in. */
const endlessMs = 90 * dayMs;
/** The longest that browsers keep a cookie, in seconds. */
const longestSec = (400 * dayMs) / 1_000;

/** How long the browser keeps a ticket of a room: as long as the room's places can count, and some days more. */
export function ticketMaxAgeSec({ settings, nowMs }: Pick<WaitingRoom, "settings" | "nowMs">): number {
  const { schedule, admission } = settings;
  const visitMs = admission.maxDurationMs ?? admission.durationMs;
  const beginsMs = Math.max(nowMs, schedule.prequeueAtMs ?? 0, schedule.opensAtMs ?? 0);
  const { endsAtMs } = schedule;
  const countsMs = endsAtMs === null ? beginsMs - nowMs + endlessMs : Math.max(0, endsAtMs - nowMs) + visitMs;
  return Math.min(longestSec, Math.ceil((countsMs + moreMs) / 1_000));
}
