import { createECDH, createPrivateKey, hkdfSync, type KeyObject } from "node:crypto";
import { SignJWT } from "jose";
import { LRUCache } from "lru-cache";
import type { MacKey } from "../../config/index.ts";

/** A key by which push services know Usher (RFC 8292). */
export interface VapidKey {
  /** Of the ticket key that it is derived from. */
  readonly kid: string;
  /** The uncompressed point, in base64url, as browsers take it. */
  readonly publicKey: string;
  readonly privateKey: KeyObject;
}

const curve = "prime256v1";
const scalarBytes = 32;
/** RFC 8292, section 2: at most 24 hours. */
const validSec = 12 * 3_600;
const renewedSec = 3_600;
/** A few services, and a few ticket keys. */
const headersMax = 1_000;

/**
 * The key that belongs to a ticket key (RFC 5869), as the draw key does: with a ticket key no other secret is needed, and processes that
 * share their keys share this one. It is good for as long as tickets are that the other signed.
 */
export function deriveVapidKey({ kid, secret }: MacKey): VapidKey {
  for (let attempt = 0; ; attempt++) {
    const scalar = Buffer.from(hkdfSync("sha256", secret, "", `usher vapid key ${attempt}`, scalarBytes));
    const ecdh = createECDH(curve);
    try {
      ecdh.setPrivateKey(scalar);
    } catch {
      // One in 2^32 is no private key of the curve.
      continue;
    }
    const point = ecdh.getPublicKey();
    const [x, y] = [point.subarray(1, 33).toString("base64url"), point.subarray(33).toString("base64url")];
    const jwk = { kty: "EC", crv: "P-256", x, y, d: scalar.toString("base64url") };
    const privateKey = createPrivateKey({ key: jwk, format: "jwk" });
    return { kid, publicKey: point.toString("base64url"), privateKey };
  }
}

/** Says to push services who sends (RFC 8292, section 3). @param contact `mailto:` or an https address */
export function createVapid(tickets: () => readonly MacKey[], contact: string, nowMs: () => number) {
  const derived = new WeakMap<MacKey, VapidKey>();
  const headers = new LRUCache<string, { readonly text: string; readonly untilSec: number }>({ max: headersMax });

  const keyOf = (ticketKey: MacKey) => {
    const key = derived.get(ticketKey) ?? deriveVapidKey(ticketKey);
    derived.set(ticketKey, key);
    return key;
  };

  return {
    /** The one that new subscriptions are made with. */
    get current(): VapidKey {
      const [first] = tickets();
      if (first === undefined) throw new TypeError("there is no ticket key");
      return keyOf(first);
    },
    /** The one with this public key, which may be an earlier one; null where it is gone, or never was. */
    find: (publicKey: string): VapidKey | null =>
      tickets()
        .map(keyOf)
        .find((key) => key.publicKey === publicKey) ?? null,
    /** `Authorization` of a request to a push service; null where the key that the subscription was made with is gone. */
    async authorization(kid: string, endpoint: string): Promise<string | null> {
      const ticketKey = tickets().find((candidate) => candidate.kid === kid);
      if (ticketKey === undefined) return null;
      const audience = new URL(endpoint).origin;
      const name = `${kid} ${audience}`;
      const nowSec = Math.floor(nowMs() / 1_000);
      const cached = headers.get(name);
      // A clock that was set back makes it too long for the service.
      const leftSec = (cached?.untilSec ?? 0) - nowSec;
      if (cached !== undefined && leftSec > renewedSec && leftSec <= validSec) return cached.text;
      const { publicKey, privateKey } = keyOf(ticketKey);
      const untilSec = nowSec + validSec;
      const token = await new SignJWT({ aud: audience, exp: untilSec, sub: contact })
        .setProtectedHeader({ typ: "JWT", alg: "ES256" })
        .sign(privateKey);
      const text = `vapid t=${token}, k=${publicKey}`;
      headers.set(name, { text, untilSec });
      return text;
    },
  };
}

export type Vapid = ReturnType<typeof createVapid>;
