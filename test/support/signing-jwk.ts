import type { RsaSigningJwk } from "../../src/config/index.ts";
import { readSigningKey } from "../../src/config/secrets/keys.ts";
import { nextRsaPem } from "./rsa-keys.ts";

/** A key of its own to sign tokens with: RS256. */
export function makeSigningJwk(): RsaSigningJwk {
  const key = readSigningKey(nextRsaPem());
  if (key.kty !== "RSA") throw new TypeError("a key for RS256 is an RSA key");
  return key;
}
