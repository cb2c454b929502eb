/** Keys that this process has, one by one, and how they stand together as the material of an issuer. */
import {
  cookieKeyId,
  type KeyMaterial,
  makeSigningKey,
  readDrawKey,
  readSigningKey,
  readTicketKey,
  type SigningAlg,
  type SigningJwk,
} from "../../config/index.ts";
import type { Random } from "../../lib/random.ts";
import type { KeyPurpose } from "../content.ts";

export type HeldKey = { readonly kid: string } & (
  | { readonly purpose: "signing"; readonly alg: SigningAlg; readonly jwk: SigningJwk }
  | { readonly purpose: "tickets" | "draw"; readonly alg: null; readonly secret: Uint8Array }
  | { readonly purpose: "cookies"; readonly alg: null; readonly text: string }
);

const keyBytes = 32;

/** @throws Error for a signing key that is none */
export function readHeldKey(purpose: KeyPurpose, text: string): HeldKey {
  switch (purpose) {
    case "signing":
      return ofJwk(readSigningKey(text));
    case "tickets":
      return { ...readTicketKey(text), purpose, alg: null };
    case "draw":
      return { ...readDrawKey(text), purpose, alg: null };
    case "cookies":
      return ofCookieKey(text);
  }
}

/** A new key as text, and as read. Its id does not begin with a dash, which on a command line begins an option. */
export async function makeHeldKey(
  purpose: KeyPurpose,
  alg: SigningAlg,
  random: Random,
): Promise<{ key: HeldKey; text: string }> {
  for (;;) {
    const text = purpose === "signing" ? await makeSigningKey(alg) : random.bytes(keyBytes).toString("base64url");
    const key = readHeldKey(purpose, text);
    if (!key.kid.startsWith("-")) return { key, text };
  }
}

/** In the order of each list. */
export function keysOf({ signing, tickets, cookies, draw }: KeyMaterial): HeldKey[] {
  return [
    ...signing.map(ofJwk),
    ...tickets.map((key): HeldKey => ({ ...key, purpose: "tickets", alg: null })),
    ...cookies.map(ofCookieKey),
    ...draw.map((key): HeldKey => ({ ...key, purpose: "draw", alg: null })),
  ];
}

export function materialOf(keys: readonly HeldKey[], madeNow: boolean): KeyMaterial {
  const macKeys = (purpose: KeyPurpose) =>
    keys.flatMap((key) => (key.purpose === purpose && "secret" in key ? [{ kid: key.kid, secret: key.secret }] : []));
  return {
    signing: keys.flatMap((key) => (key.purpose === "signing" ? [key.jwk] : [])),
    tickets: macKeys("tickets"),
    cookies: keys.flatMap((key) => (key.purpose === "cookies" ? [key.text] : [])),
    draw: macKeys("draw"),
    madeNow,
  };
}

/** Alike for the same keys in the same order. */
export function idsOf({ signing, tickets, cookies, draw }: KeyMaterial): string {
  return JSON.stringify([signing, tickets, draw].map((list) => list.map(({ kid }) => kid)).concat([[...cookies]]));
}

function ofJwk(jwk: SigningJwk): HeldKey {
  return { kid: jwk.kid, purpose: "signing", alg: jwk.alg, jwk };
}

function ofCookieKey(text: string): HeldKey {
  return { kid: cookieKeyId(text), purpose: "cookies", alg: null, text };
}
