import type { Random } from "../../lib/random.ts";
import { roomIdShape } from "../../lib/room-id.ts";
import type { AdmissionProof, AdmittedVia, DrawnEntry } from "../../store/contract/room-store.ts";
import { decodeNumber, encodeNumber, type KeyRing } from "./key-ring.ts";
import { decodeRequests, encodeRequests, type SeenRequest } from "./login-request.ts";

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
