/** What a visitor's cookie proves, signed: the place in line, the logins that the visitor came with, or the arrival while nobody got a place. */
import { createHmac, createSecretKey, hash, type KeyObject, timingSafeEqual } from "node:crypto";
import type { Random } from "../../lib/clock-and-random.ts";
import { roomIdShape } from "../../lib/room-id.ts";
import type { AdmissionProof, AdmittedVia, DrawnEntry } from "../../store/contract/room-store.ts";

/** A visitor's signed place in line. Signed, not encrypted: it holds nothing secret. */
export interface Ticket {
  readonly room: string;
  /** The visitor, as the `sub` claim names them. */
  readonly sub: string;
  readonly edition: number;
  /**
   * 0 when the visitor holds no place: they left, or passed through without one, and only their `sub` is kept. As this process
   * last knew it: where it was drawn, `entry` says of what; where it is to be drawn, it is the entry number.
   */
  readonly position: number;
  readonly entry?: DrawnEntry | null;
  /** Join time on the room's claim clock, in milliseconds. */
  readonly joinedMs: number;
  /** Authorization requests this visitor came with, oldest first. */
  readonly requests: readonly SeenRequest[];
  /** Login restarts since the last finished login. */
  readonly restarts: number;
  /** The admission that this place was exchanged for, as of the last login; null while unclaimed. */
  readonly claim: AdmissionProof | null;
  /** Thumbprint (RFC 7638) of the key of the browser that the visitor is bound to, with a place or without; absent: of none. */
  readonly device?: string;
}

/** What names a place. */
export type Place = Pick<Ticket, "edition" | "position" | "entry">;

/** What the signed ticket says: the number that the join gave. Its position is that, or drawn of it. */
export function numberOf({ position, entry }: Pick<Ticket, "position" | "entry">): number {
  return position === 0 ? 0 : (entry?.number ?? position);
}

/**
 * What is left of a ticket whose place is given up: who the visitor is. Whose place was bound to a key stays so: an admission is the
 * visitor's, and a copy of the ticket would come to it without the key.
 */
export function withoutPlace(visitor: Ticket): Ticket {
  return { ...visitor, position: 0, entry: null, joinedMs: 0, claim: null, restarts: 0 };
}

/** A visitor who holds no place, and may have to. */
export function ticketWithoutPlace(room: string, sub: string): Ticket {
  return { room, sub, edition: 0, position: 0, joinedMs: 0, requests: [], restarts: 0, claim: null };
}

export type Presented =
  | { kind: "ticket"; ticket: Ticket }
  /** Nothing there, forged, or of another room: worth nothing, and no reason is given. */
  | { kind: "none" }
  /** Signed with a key this process does not know: perhaps a newer ring, so never overwritten silently. */
  | { kind: "unknown_key" };

export type TicketCodec = ReturnType<typeof createTicketCodec>;

/** Tokens over this length are not looked at. */
const maxTokenLength = 1_024;
const waitingContext = "usher ticket v1";
const claimedContext = "usher claimed ticket v1";
const waitingPrefix = "w1.";
const claimedPrefix = "c1.";

/**
 * Tickets are `w1.kid.payload.mac`, claimed ones `c1.kid.payload.mac`. The payload's fields are joined by
 * `~` and numbers are in base 36, so that a ticket fits a cookie without further encoding:
 * `sub~edition~number~joinedMs~restarts~requests[~admittedMs~expiresMs~via][~device]`.
 * The room is the first part of the `sub`.
 *
 * @param line distinguishes a room from an earlier one of the same id: tickets of that one are forged ones here
 */
export function createTicketCodec(ring: KeyRing, line = "") {
  const ofLine = line === "" ? "" : ` ${line}`;
  const [ofWaiting, ofClaimed] = [waitingContext + ofLine, claimedContext + ofLine];
  return {
    encode(ticket: Ticket): string {
      const fields = [
        // A sub contains a dot, which separates the parts of a token.
        ticket.sub.replace(".", "*"),
        ...[ticket.edition, numberOf(ticket), ticket.joinedMs, ticket.restarts].map(encodeNumber),
        encodeRequests(ticket.requests),
      ];
      const device = ticket.device === undefined ? [] : [ticket.device];
      if (ticket.claim === null) return waitingPrefix + ring.sign(ofWaiting, [...fields, ...device].join("~"));
      const { admittedMs, expiresMs, via } = ticket.claim;
      fields.push(encodeNumber(admittedMs), encodeNumber(expiresMs), via, ...device);
      return claimedPrefix + ring.sign(ofClaimed, fields.join("~"));
    },

    /** Reads what a visitor presents for a room. Never throws. */
    decode(room: string, token: string | undefined): Presented {
      if (token === undefined || token.length > maxTokenLength) return { kind: "none" };
      const isClaimed = token.startsWith(claimedPrefix);
      if (!isClaimed && !token.startsWith(waitingPrefix)) return { kind: "none" };
      const verified = ring.verify(isClaimed ? ofClaimed : ofWaiting, token.slice(claimedPrefix.length));
      if (verified === "unknown_key") return { kind: "unknown_key" };
      if (verified === "forged") return { kind: "none" };
      const ticket = decodePayload(verified.payload, isClaimed);
      return ticket?.room === room ? { kind: "ticket", ticket } : { kind: "none" };
    },
  };
}

function decodePayload(payload: string, isClaimed: boolean): Ticket | undefined {
  const fields = payload.split("~");
  const usualLength = isClaimed ? 9 : 6;
  if (fields.length !== usualLength && fields.length !== usualLength + 1) return undefined;
  const [visitor = "", edition, position, joined, restarts, requests = "", admitted, expires, via] = fields;
  const device = fields[usualLength];
  const star = visitor.indexOf("*");
  if (star <= 0) return undefined;
  return {
    room: visitor.slice(0, star),
    sub: visitor.replace("*", "."),
    edition: decodeNumber(edition),
    position: decodeNumber(position),
    joinedMs: decodeNumber(joined),
    restarts: decodeNumber(restarts),
    requests: decodeRequests(requests),
    claim: isClaimed
      ? { admittedMs: decodeNumber(admitted), expiresMs: decodeNumber(expires), via: via as AdmittedVia }
      : null,
    ...(device !== undefined && { device }),
  };
}

/**
 * A new visitor of a room: `room.random`, at most 55 characters. The room is part of it, so that
 * visitors of two rooms never mix; the rest is 128 random bits, which grant nothing by themselves.
 */
export function createVisitorId(room: string, random: Random): string {
  return `${room}.${random.bytes(16).toString("base64url")}`;
}

const visitorId = new RegExp(`^(${roomIdShape})\\.[A-Za-z0-9_-]{22}$`);

/** The room that a visitor belongs to; undefined for a text that is no visitor id. */
export function roomOfVisitor(sub: string): string | undefined {
  return visitorId.exec(sub)?.[1];
}

/**
 * An authorization request that a visitor has come with. Relying parties remember their side of it for
 * minutes only, so its age is kept with the visitor's ticket, not with the request.
 */
export interface SeenRequest {
  /** See `hashRequest`. */
  readonly hash: string;
  /** Clock of the process that saw it first, in milliseconds; kept to the second. */
  readonly firstSeenMs: number;
  /** See `nameSeries`; absent where the sender of the visitor remembers every request. */
  readonly series?: string;
}

/** How many requests a ticket remembers: several tabs, restarts and the back button. */
const maxSeenRequests = 8;

/** After so many restarts without a finished login in between, a page explains instead. */
export const maxRestartsInARow = 3;

/** Characters. */
const hashLength = 8;

/** Names an authorization request: 48 bits of SHA-256 over its parameters as they were sent, in base64url. */
export function hashRequest(query: string): string {
  return hash("sha256", query, "base64url").slice(0, hashLength);
}

/**
 * A short name for the requests of one client that remembers only its newest login. Two clients of a room may share one
 * by accident (1 in 4096): that costs a restart.
 */
export function nameSeries(clientId: string): string {
  return hash("sha256", clientId, "base64url").slice(0, 2);
}

export function findRequest(requests: readonly SeenRequest[], name: string): SeenRequest | undefined {
  return requests.find((request) => request.hash === name);
}

/**
 * Whether a newer request of the same series is known, so that the sender of the visitor has forgotten this one. A request of
 * unknown age is not newer.
 *
 * @param elsewhere requests that the visitor's tickets of other rooms remember
 */
export function isSuperseded(
  requests: readonly SeenRequest[],
  name: string,
  series: string | undefined,
  elsewhere: readonly SeenRequest[] = [],
): boolean {
  const index = series === undefined ? -1 : requests.findIndex((request) => request.hash === name);
  const firstSeenMs = requests[index]?.firstSeenMs;
  if (firstSeenMs === undefined) return false;
  return (
    requests.slice(index + 1).some((later) => later.series === series && later.firstSeenMs > 0) ||
    // Times are kept to the second: of two in the same one, neither is known to be newer.
    elsewhere.some((other) => other.series === series && other.firstSeenMs > firstSeenMs)
  );
}

/**
 * `hash` and first sight, one after the other, then `_` and the series where there is one; joined by `!`. Times are in
 * seconds, base 36. Fits a cookie as it is.
 */
export function encodeRequests(requests: readonly SeenRequest[]): string {
  let encoded = "";
  for (const { hash, firstSeenMs, series } of requests) {
    encoded += (encoded === "" ? "" : "!") + hash + Math.floor(firstSeenMs / 1_000).toString(36);
    if (series !== undefined) encoded += `_${series}`;
  }
  return encoded;
}

export function decodeRequests(encoded: string): readonly SeenRequest[] {
  if (encoded === "") return [];
  return encoded.split("!").map((each) => {
    const seriesAt = each.indexOf("_", hashLength);
    return {
      hash: each.slice(0, hashLength),
      // The number ends where the series begins.
      firstSeenMs: Number.parseInt(each.slice(hashLength), 36) * 1_000,
      ...(seriesAt > 0 && { series: each.slice(seriesAt + 1) }),
    };
  });
}

/** Adds a request that was not seen before; the oldest go first. */
export function rememberRequest(
  requests: readonly SeenRequest[],
  hash: string,
  nowMs: number,
  series?: string,
): readonly SeenRequest[] {
  if (findRequest(requests, hash)) return requests;
  return [...requests, { hash, firstSeenMs: nowMs, ...(series !== undefined && { series }) }].slice(-maxSeenRequests);
}

/** Longer tokens are not looked at. */
const maxStampLength = 512;

/** Proof that a visitor came while nobody could be given a position. */
export interface ArrivalStamp {
  readonly room: string;
  /** Clock of the process that met them, in milliseconds. */
  readonly arrivedMs: number;
  /** Authorization requests this visitor came with, oldest first. An arrival may be older than the login that it comes back with. */
  readonly requests: readonly SeenRequest[];
}

export type ArrivalStamps = ReturnType<typeof createArrivalStamps>;

const context = "usher arrival stamp v1";

export function createArrivalStamps(ring: KeyRing) {
  return {
    issue: ({ room, arrivedMs, requests }: ArrivalStamp) =>
      ring.sign(context, `${room}~${encodeNumber(arrivedMs)}~${encodeRequests(requests)}`),

    /** Undefined for anything that is not a stamp of this room. */
    read(room: string, token: string | undefined): ArrivalStamp | undefined {
      const [ofRoom, arrived, requests = ""] = readSigned(ring, context, token, maxStampLength);
      return ofRoom === room
        ? { room, arrivedMs: decodeNumber(arrived), requests: decodeRequests(requests) }
        : undefined;
    },
  };
}

export interface RingKey {
  /** Derived from the key, so that equal keys have equal ids everywhere. */
  readonly kid: string;
  readonly secret: Uint8Array;
}

export type KeyRing = ReturnType<typeof createKeyRing>;

/** 192 bits: beyond guessing, and short enough for a cookie. */
const macBytes = 24;
const nameBytes = 12;
const macPattern = /^[A-Za-z0-9_-]{32}$/;

/**
 * Signs with the first key and verifies with all, so that keys can be rotated. Every signed kind
 * (ticket, claimed ticket, arrival stamp) names its own context, so one never passes for another.
 */
export function createKeyRing(keys: readonly RingKey[]) {
  let ring = readKeys(keys);

  const mac = (key: KeyObject, context: string, kid: string, payload: string) =>
    createHmac("sha256", key).update(`${context}\n${kid}\n${payload}`).digest().subarray(0, macBytes);

  return {
    get signingKid(): string {
      return ring.signingKid;
    },
    get kids(): readonly string[] {
      return [...ring.byId.keys()];
    },
    /** Goes by other keys from now on. At least one. */
    replace(next: readonly RingKey[]): void {
      ring = readKeys(next);
    },

    /** A secret of one purpose, which follows from a key: by default the one that signs. Undefined for an unknown key. */
    secretOf(context: string, kid = ring.signingKid): Buffer | undefined {
      const key = ring.byId.get(kid);
      return key && createHmac("sha256", key).update(`${context}\n${kid}`).digest();
    },

    /** Returns `kid.payload.mac`. The payload may contain only characters that a cookie value may, and no dot. */
    sign(context: string, payload: string): string {
      const { signingKid, signingKey } = ring;
      return `${signingKid}.${payload}.${mac(signingKey, context, signingKid, payload).toString("base64url")}`;
    },

    /** A name for what is not to be told: 96 bits, the same at all processes that sign with the same key. */
    nameOf(context: string, text: string): string {
      const { signingKid, signingKey } = ring;
      return mac(signingKey, context, signingKid, text).subarray(0, nameBytes).toString("base64url");
    },

    /** A name of a text, made with each key of the ring, in their order: 128 bits in base64url. Nobody without the key knows of whom. */
    derive(context: string, text: string): string[] {
      return [...ring.byId].map(([kid, key]) => mac(key, context, kid, text).subarray(0, 16).toString("base64url"));
    },

    /** Constant time in the MAC. `unknown_key` is no forgery: another process may sign with a newer ring. */
    verify(context: string, token: string): { payload: string } | "unknown_key" | "forged" {
      const [kid = "", payload = "", tag = "", ...rest] = token.split(".");
      if (rest.length > 0 || payload === "" || !macPattern.test(tag)) return "forged";
      const key = ring.byId.get(kid);
      if (key === undefined) return /^[A-Za-z0-9_-]{1,64}$/.test(kid) ? "unknown_key" : "forged";
      return timingSafeEqual(Buffer.from(tag, "base64url"), mac(key, context, kid, payload)) ? { payload } : "forged";
    },
  };
}

function readKeys(keys: readonly RingKey[]) {
  const byId = new Map<string, KeyObject>(keys.map(({ kid, secret }) => [kid, createSecretKey(secret)]));
  const [first] = keys;
  const signingKey = first && byId.get(first.kid);
  if (first === undefined || signingKey === undefined) throw new TypeError("a key ring needs at least one key");
  return { byId, signingKid: first.kid, signingKey };
}

/**
 * The parts of a token that must be signed with a known key, whatever is wrong with any other: none of such a one, nor of one
 * that is longer than it may be.
 */
export function readSigned(ring: KeyRing, context: string, token: string | undefined, maxLength: number): string[] {
  const verified = token === undefined || token.length > maxLength ? "forged" : ring.verify(context, token);
  return typeof verified === "string" ? [] : verified.payload.split("~");
}

/** Numbers in tokens are in base 36. */
export function encodeNumber(number: number): string {
  return number.toString(36);
}

export function decodeNumber(text = ""): number {
  return Number.parseInt(text, 36);
}
