import { createHash, createPrivateKey, generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import type { SigningJwk } from "./config.ts";

const MODULUS_BITS_MIN = 2_048;
const MODULUS_BITS_MAX = 8_192;

/**
 * Reads an RSA private key, written as PEM or as a JWK in JSON, into the JWK that oidc-provider takes.
 * @throws Error whose message may be shown: it contains nothing of the key.
 */
export function readSigningKey(written: string): SigningJwk {
  const key = parsePrivateKey(written);
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (key.asymmetricKeyType !== "rsa" || bits < MODULUS_BITS_MIN || bits > MODULUS_BITS_MAX) {
    throw new Error(`expected an RSA key of ${MODULUS_BITS_MIN} to ${MODULUS_BITS_MAX} bits`);
  }
  const { n = "", e = "", d = "", p = "", q = "", dp = "", dq = "", qi = "" } = key.export({ format: "jwk" });
  return { kty: "RSA", alg: "RS256", use: "sig", kid: thumbprint(n, e), n, e, d, p, q, dp, dq, qi };
}

/** A new RSA key of 2048 bits, as PEM. */
export async function makeSigningKey(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)("rsa", { modulusLength: MODULUS_BITS_MIN });
  return privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

function parsePrivateKey(written: string): KeyObject {
  try {
    const isJwk = written.trimStart().startsWith("{");
    return isJwk ? createPrivateKey({ key: JSON.parse(written), format: "jwk" }) : createPrivateKey(written);
  } catch {
    throw new Error("expected an RSA private key, unencrypted, as PEM or as a JWK in JSON");
  }
}

/** The first 16 characters of the JWK thumbprint (RFC 7638, section 3) of the public key. */
function thumbprint(n: string, e: string): string {
  return createHash("sha256")
    .update(JSON.stringify({ e, kty: "RSA", n }))
    .digest("base64url")
    .slice(0, 16);
}
