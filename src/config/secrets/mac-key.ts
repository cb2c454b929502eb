/** Keys for MACs, out of what stands in the configuration, in the secrets file or in a registry. */
import { createHash, hkdfSync } from "node:crypto";
import type { MacKey } from "../resolve/config.ts";

const DRAW_KEY_BYTES = 32;

export function readTicketKey(text: string): MacKey {
  return { kid: keyId("usher ticket key id\0", text), secret: new TextEncoder().encode(text) };
}

export function readDrawKey(text: string): MacKey {
  return { kid: keyId("usher draw key id\0", text), secret: new TextEncoder().encode(text) };
}

/** The draw key that belongs to a ticket key (RFC 5869): with a ticket key no other secret is needed. */
export function deriveDrawKey({ secret }: MacKey): MacKey {
  const derived = new Uint8Array(hkdfSync("sha256", secret, "", "usher draw key", DRAW_KEY_BYTES));
  return { kid: keyId("usher draw key id\0", derived), secret: derived };
}

/** Names a cookie key without telling it. */
export function cookieKeyId(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url").slice(0, 8);
}

/** Derived from the key, so that processes with equal keys agree on the name without talking. */
function keyId(context: string, secret: string | Uint8Array): string {
  return createHash("sha256").update(context).update(secret).digest("base64url").slice(0, 8);
}
