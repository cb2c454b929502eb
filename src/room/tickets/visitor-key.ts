/**
 * What proves who a visitor is, in rooms where each person has one place. A key (a customer's id, an e-mail address, who has signed in) is
 * kept nowhere: the visitor's cookie has a hash of it, the store names that are made of that hash with the ticket keys, and the
 * visitor's `sub` is the room and such a name. So nobody can find out by the store or by logs whose place it is without a ticket key.
 *
 * A key has a name for each ticket key of the ring, and stays known by that which it was known by first. So it outlives a rotation as
 * long as the visitor's ticket does.
 */
import { createHash } from "node:crypto";
import { decodeNumber, encodeNumber, type KeyRing, readSigned } from "./ticket.ts";

/** Longer tokens are not looked at. */
const maxTokenLength = 256;
const cookieContext = "usher visitor key v1";
const nameContext = "usher visitor name v1";
const digestPattern = /^[A-Za-z0-9_-]{43}$/;

/** A key that was proven. Times are of the store's wall clock. */
export interface VisitorKey {
  /** Hash of the key. */
  readonly digest: string;
  /** Class of the invitation; "" for none. */
  readonly classId: string;
  /** The proof counts until then. */
  readonly expiresMs: number;
}

export type VisitorKeys = ReturnType<typeof createVisitorKeys>;

export function createVisitorKeys(ring: KeyRing) {
  return {
    /**
     * @param kind who says so: keys of different kinds are never the same
     * @param key names one person among all of that kind
     */
    digest(room: string, kind: string, key: string): string {
      return createHash("sha256")
        .update(JSON.stringify([room, kind, key]))
        .digest("base64url");
    },

    /** What the key is known by, that of the newest ticket key first: 22 characters each. */
    namesOf({ digest }: Pick<VisitorKey, "digest">): string[] {
      return ring.derive(nameContext, digest);
    },

    /** The value of the visitor's cookie. */
    encode(room: string, { digest, classId, expiresMs }: VisitorKey): string {
      return ring.sign(cookieContext, [room, digest, classId, encodeNumber(expiresMs)].join("~"));
    },

    /** Undefined for anything that proves no key in this room now. */
    read(room: string, token: string | undefined, nowMs: number): VisitorKey | undefined {
      const [ofRoom, digest = "", classId = "", expires] = readSigned(ring, cookieContext, token, maxTokenLength);
      const expiresMs = decodeNumber(expires);
      if (ofRoom !== room || !digestPattern.test(digest) || !(nowMs < expiresMs)) return undefined;
      return { digest, classId, expiresMs };
    },
  };
}

/** The name of the key in the `sub` of its visitor. */
export function nameInVisitorId(sub: string): string {
  return sub.slice(sub.indexOf(".") + 1);
}
