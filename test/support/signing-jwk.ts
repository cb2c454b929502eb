import type { RsaSigningJwk } from "../../src/config/index.ts";
import { makeSigningKey, readSigningKey } from "../../src/config/secrets/signing-key.ts";

/** A key of its own to sign tokens with: RS256. */
export async function makeSigningJwk(): Promise<RsaSigningJwk> {
  const key = readSigningKey(await makeSigningKey());
  if (key.kty !== "RSA") throw new TypeError("a key for RS256 is an RSA key");
  return key;
}
