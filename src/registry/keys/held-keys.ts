/** Keys that this process has, one by one, wherever they come from. */
import {
  cookieKeyId,
  type KeyMaterial,
  makeSigningKey,
  readDrawKey,
  readSigningKey,
  readTicketKey,
  type SigningAlg,
} from "../../config/index.ts";
import type { Random } from "../../lib/clock-and-random.ts";
import { type KeyPurpose, keyPurposes, type RegisteredKey } from "../content.ts";

export type KeyName = Pick<RegisteredKey, "kid" | "purpose" | "alg">;

/** `value` is the key as it stands in the material of an issuer. */
export type AvailableKey = {
  [Purpose in KeyPurpose]: KeyName & { readonly purpose: Purpose; readonly value: KeyMaterial[Purpose][number] };
}[KeyPurpose];

/** With the text that `readHeldKey` takes. */
export interface KeyWithText {
  readonly key: AvailableKey;
  readonly text: string;
}

const keyBytes = 32;

const readers: { readonly [Purpose in KeyPurpose]: (text: string) => KeyMaterial[Purpose][number] } = {
  signing: readSigningKey,
  tickets: readTicketKey,
  draw: readDrawKey,
  cookies: (text) => text,
};

/** @throws Error for a signing key that is none */
export function readAvailableKey(purpose: KeyPurpose, text: string): AvailableKey {
  return asAvailable(purpose, readers[purpose](text));
}

function asAvailable(purpose: KeyPurpose, value: AvailableKey["value"]): AvailableKey {
  const kid = typeof value === "string" ? cookieKeyId(value) : value.kid;
  const alg = typeof value === "object" && "alg" in value ? value.alg : null;
  return { kid, purpose, alg, value } as AvailableKey;
}

/** A new key as text, and as read. Its id does not begin with a dash, which on a command line begins an option. */
export async function generateKey(purpose: KeyPurpose, alg: SigningAlg, random: Random): Promise<KeyWithText> {
  for (;;) {
    const text =
      purpose === "signing" ? await makeSigningKey(alg, random) : random.bytes(keyBytes).toString("base64url");
    const key = readAvailableKey(purpose, text);
    if (!key.kid.startsWith("-")) return { key, text };
  }
}

/** In the order of each list. */
export function keysOf(material: KeyMaterial): AvailableKey[] {
  return keyPurposes.flatMap((purpose) => material[purpose].map((value) => asAvailable(purpose, value)));
}

export function materialOf(keys: readonly AvailableKey[]): KeyMaterial {
  const valuesOf = (wanted: KeyPurpose) => keys.filter(({ purpose }) => purpose === wanted).map(({ value }) => value);
  return Object.fromEntries(keyPurposes.map((purpose) => [purpose, valuesOf(purpose)])) as unknown as KeyMaterial;
}
