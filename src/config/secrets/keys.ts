/** Keys, out of what stands in the configuration, in the secrets file or in a registry: private ones that sign, and those for MACs. */
import { createHash, createPrivateKey, generateKeyPair, hkdfSync, type JsonWebKey, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import type { Random } from "../../lib/clock-and-random.ts";
import type { MacKey, SigningJwk } from "../config.ts";
import type { SigningAlg } from "../schema/choices.ts";

const MODULUS_BITS_MIN = 2_048;
const MODULUS_BITS_MAX = 8_192;

/**
 * Reads a private key, written as PEM or as a JWK in JSON, into the JWK that oidc-provider takes. Of an RSA key that says nothing of
 * its algorithm it is RS256, of one on P-256 ES256, and of an Ed25519 key EdDSA; a JWK's `alg` decides.
 *
 * @throws Error whose message may be shown: it contains nothing of the key.
 */
export function readSigningKey(written: string): SigningJwk {
  const { key, alg } = parsePrivateKey(written);
  const { modulusLength: bits = 0, namedCurve } = key.asymmetricKeyDetails ?? {};
  const jwk = key.export({ format: "jwk" });
  if (key.asymmetricKeyType === "rsa") {
    if (bits < MODULUS_BITS_MIN || bits > MODULUS_BITS_MAX) throw new Error(expectedRsa);
    const { e, n } = jwk;
    // One RSA key for another algorithm is another key: what is on record of the one says nothing of the other.
    return alg === "PS256"
      ? named(jwk, alg, { alg, e, kty: "RSA", n })
      : named(jwk, checkAlg(alg, ["RS256", "PS256"]), { e, kty: "RSA", n });
  }
  if (key.asymmetricKeyType === "ec" && namedCurve === "prime256v1") {
    return named(jwk, checkAlg(alg, ["ES256"]), { crv: "P-256", kty: "EC", x: jwk.x, y: jwk.y });
  }
  if (key.asymmetricKeyType === "ed25519") {
    return named(jwk, checkAlg(alg, ["EdDSA"]), { crv: "Ed25519", kty: "OKP", x: jwk.x });
  }
  throw new Error(`${expectedRsa}, an elliptic curve key on P-256 or an Ed25519 key`);
}

/** A new key, in a spelling that `readSigningKey` takes. RSA keys have 2048 bits. */
export async function makeSigningKey(alg: SigningAlg, random: Random): Promise<string> {
  const privateKey = await makePrivateKey(alg, random);
  // PEM does not say which of its two algorithms an RSA key is for.
  if (alg === "PS256") return JSON.stringify({ ...privateKey.export({ format: "jwk" }), alg });
  return privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

async function makePrivateKey(alg: SigningAlg, random: Random): Promise<KeyObject> {
  if (alg === "ES256") return (await promisify(generateKeyPair)("ec", { namedCurve: "P-256" })).privateKey;
  if (alg === "EdDSA") return (await promisify(generateKeyPair)("ed25519")).privateKey;
  return random.rsaKey();
}

/** What everybody may know of a key. */
export function publicJwk(key: SigningJwk) {
  const { kty, alg, use, kid } = key;
  if (key.kty === "RSA") return { kty, alg, use, kid, n: key.n, e: key.e };
  return { kty, alg, use, kid, crv: key.crv, x: key.x, ...(key.kty === "EC" && { y: key.y }) };
}

/** Alike for the same key pair, whatever it is for. */
export function keyPairOf(key: SigningJwk): string {
  return key.kty === "RSA" ? key.n : key.x;
}

const expectedRsa = `expected an RSA key of ${MODULUS_BITS_MIN} to ${MODULUS_BITS_MAX} bits`;

function parsePrivateKey(written: string): { key: KeyObject; alg: unknown } {
  try {
    if (!written.trimStart().startsWith("{")) return { key: createPrivateKey(written), alg: undefined };
    const jwk = JSON.parse(written);
    return { key: createPrivateKey({ key: jwk, format: "jwk" }), alg: jwk.alg };
  } catch {
    throw new Error("expected an RSA, P-256 or Ed25519 private key, unencrypted, as PEM or as a JWK in JSON");
  }
}

/** @param allowed the first for a key that names none */
function checkAlg(alg: unknown, allowed: readonly [SigningAlg, ...SigningAlg[]]): SigningAlg {
  const found = (alg ?? null) === null ? allowed[0] : allowed.find((candidate) => candidate === alg);
  if (found === undefined) throw new Error(`expected as alg of this JWK: ${allowed.join(" or ")}`);
  return found;
}

/** With the first 16 characters of its thumbprint (RFC 7638, section 3), by the members in their order. */
function named(jwk: JsonWebKey, alg: SigningAlg, members: Readonly<Record<string, string | undefined>>): SigningJwk {
  const kid = createHash("sha256").update(JSON.stringify(members)).digest("base64url").slice(0, 16);
  return { ...jwk, alg, use: "sig", kid } as SigningJwk;
}

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
