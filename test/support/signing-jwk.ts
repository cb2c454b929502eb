import type { SigningJwk } from "../../src/config/index.ts";
import { makeSigningKey, readSigningKey } from "../../src/config/signing-key.ts";

/** A key of its own to sign tokens with. */
export async function makeSigningJwk(): Promise<SigningJwk> {
  return readSigningKey(await makeSigningKey());
}
