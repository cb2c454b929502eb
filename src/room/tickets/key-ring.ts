import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto";

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
