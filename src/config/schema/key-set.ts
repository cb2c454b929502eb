import { createPublicKey, type JsonWebKey } from "node:crypto";
import { z } from "zod";
import { withKind } from "./settings-codec.ts";

const keysMax = 20;
const expected = `expected { keys: [ … ] } with 1 to ${keysMax} public keys (RFC 7517), as a client publishes them`;

/** A client's public keys, as JSON has them. */
export interface KeySet {
  readonly keys: readonly Readonly<Record<string, unknown>>[];
}

/** A JWK Set of public keys that signatures can be verified with. A private one is refused: it is nobody's business here. */
const checkedKeySet = z.custom<KeySet>((value) => keySetFault(value) === null, {
  error: ({ input }) => keySetFault(input) ?? expected,
});

export const keySet = withKind(checkedKeySet, {
  json: {
    type: "object",
    $comment: "`{ keys: [ … ] }`, public keys (RFC 7517)",
    required: ["keys"],
    properties: { keys: { type: "array", items: { type: "object" }, minItems: 1, maxItems: keysMax } },
  },
});

function keySetFault(value: unknown): string | null {
  const keys = typeof value === "object" && value !== null && "keys" in value ? value.keys : undefined;
  if (!Array.isArray(keys) || keys.length === 0 || keys.length > keysMax) return expected;
  if (keys.some((key) => typeof key === "object" && key !== null && ("d" in key || "k" in key))) {
    return "a private key is among them: give the public ones only, and make a new key, since this one was shown";
  }
  return keys.every(isPublicKey) ? null : `${expected}: RSA of 2048 bits or more, EC or OKP`;
}

function isPublicKey(jwk: unknown): boolean {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPublicKey({ key: jwk as JsonWebKey, format: "jwk" });
    return asymmetricKeyType !== "rsa" || (asymmetricKeyDetails?.modulusLength ?? 0) >= 2_048;
  } catch {
    return false;
  }
}
