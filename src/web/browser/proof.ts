/** The work that Altcha's challenge asks for (version 2, PBKDF2/SHA-256): looking for the counter whose key begins as it says. */

export interface Challenge {
  readonly parameters: {
    readonly cost: number;
    readonly keyLength: number;
    readonly keyPrefix: string;
    readonly nonce: string;
    readonly salt: string;
  };
}

export interface Solution {
  readonly counter: number;
  readonly derivedKey: string;
}

/** One of several who share the work: from `start` on each `step`th counter is theirs. */
export interface Share {
  readonly challenge: Challenge;
  readonly start: number;
  readonly step: number;
}

const counterBytes = 4;

export async function solve({ challenge, start, step }: Share): Promise<Solution> {
  const { cost, keyLength, keyPrefix, nonce, salt } = challenge.parameters;
  const [first, derivation] = [
    fromHex(nonce),
    { name: "PBKDF2", salt: fromHex(salt), iterations: cost, hash: "SHA-256" },
  ];
  const password = new Uint8Array(first.length + counterBytes);
  password.set(first);
  const view = new DataView(password.buffer);
  for (let counter = start; ; counter += step) {
    view.setUint32(first.length, counter);
    const key = await crypto.subtle.importKey("raw", password, "PBKDF2", false, ["deriveBits"]);
    const derivedKey = toHex(new Uint8Array(await crypto.subtle.deriveBits(derivation, key, 8 * keyLength)));
    if (derivedKey.startsWith(keyPrefix)) return { counter, derivedKey };
  }
}

function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
