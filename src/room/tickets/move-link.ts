import type { Random } from "../../lib/clock-and-random.ts";
import type { LinkClaim } from "../../store/contract/room-store.ts";
import {
  decodeNumber,
  encodeNumber,
  type KeyRing,
  numberOf,
  readSigned,
  roomOfVisitor,
  type Ticket,
} from "./ticket.ts";

/** How long a link can be used after it was made. */
export const moveLinkValidMs = 10 * 60_000;
/** Longer tokens are not looked at. */
const maxTokenLength = 1_024;
/** What is longer would make the link's code too fine to be scanned. */
const maxCameByLength = 300;

/** How the visitor had come to the room: with a login of a client, or by a link to an address; null where nobody knows. */
export type CameBy = { readonly client: string } | { readonly target: string } | null;

/**
 * A right to move a place to another browser, once, for the holder of the link. Times are of the store's wall clock.
 */
export interface MoveLink extends LinkClaim {
  readonly room: string;
  /** Whose place it is. */
  readonly from: string;
  readonly edition: number;
  /** That its ticket names. */
  readonly number: number;
  /** Join time of the place, on the room's claim clock. */
  readonly joinedMs: number;
  readonly cameBy: CameBy;
}

export type MoveLinks = ReturnType<typeof createMoveLinks>;

const context = "usher move link v1";

/**
 * Makes and reads links, as those that bypass the queue are. A token is `kid.payload.mac`, its payload `from~edition~number~joinedMs~id~madeMs~cameBy` in base64url: chats make bold
 * and struck-out text of other characters. The room is the first part of `from`.
 */
export function createMoveLinks(ring: KeyRing, random: Random) {
  return {
    make(place: Ticket, nowMs: number, cameBy: CameBy): MoveLink {
      const { room, sub: from, edition, joinedMs } = place;
      const madeMs = Math.floor(nowMs);
      const id = random.bytes(9).toString("base64url");
      const isShort = wordOf(cameBy).length <= maxCameByLength;
      const times = { madeMs, expiresMs: madeMs + moveLinkValidMs };
      return { room, from, edition, number: numberOf(place), joinedMs, id, ...times, cameBy: isShort ? cameBy : null };
    },

    encode({ from, edition, number, joinedMs, id, madeMs, cameBy }: MoveLink): string {
      const numbers = [edition, number, joinedMs].map(encodeNumber);
      const fields = [from, ...numbers, id, encodeNumber(madeMs), wordOf(cameBy)];
      return ring.sign(context, Buffer.from(fields.join("~")).toString("base64url"));
    },

    /** Undefined for anything that is not a link of this room, whatever its age. */
    read(room: string, token: string | undefined): MoveLink | undefined {
      const [payload = ""] = readSigned(ring, context, token, maxTokenLength);
      const fields = Buffer.from(payload, "base64url").toString().split("~");
      const [from = "", edition, number, joined, id = "", made, ...cameBy] = fields;
      if (roomOfVisitor(from) !== room) return undefined;
      const madeMs = decodeNumber(made);
      const place = { edition: decodeNumber(edition), number: decodeNumber(number), joinedMs: decodeNumber(joined) };
      const times = { madeMs, expiresMs: madeMs + moveLinkValidMs };
      return { room, from, ...place, id, ...times, cameBy: readCameBy(cameBy.join("~")) };
    },
  };
}

function wordOf(cameBy: CameBy): string {
  if (cameBy === null) return "";
  return "client" in cameBy ? `client ${cameBy.client}` : `target ${cameBy.target}`;
}

function readCameBy(word: string): CameBy {
  const [, kind, name = ""] = /^(client|target) (.*)$/s.exec(word) ?? [];
  if (kind === undefined) return null;
  return kind === "client" ? { client: name } : { target: name };
}
