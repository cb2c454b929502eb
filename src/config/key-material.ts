import { createHash } from "node:crypto";
import type { Random } from "../lib/random.ts";
import { systemRandom } from "../lib/random.ts";
import type { KeyMaterial, UsherConfig } from "./config.ts";
import { type KeptKeys, readOrMakeSecretsFile } from "./secrets-file.ts";
import { readSigningKey } from "./signing-key.ts";

export interface KeyOptions {
  readonly random?: Random;
}

/**
 * The keys in use: those of the configuration, and for each purpose that nobody configured the ones kept in
 * the secrets file, which is made now if it is not there. Any number of processes that start at once on
 * the same file end with the same keys.
 *
 * @throws ConfigError when the file can't be read or made, or is not what Usher wrote. It is never overwritten.
 */
export async function loadKeyMaterial(
  config: Pick<UsherConfig, "keys" | "secretsFile">,
  { random = systemRandom }: KeyOptions = {},
): Promise<{ keys: KeyMaterial; warnings: readonly string[] }> {
  const { keys, secretsFile } = config;
  const isComplete = [keys.tickets, keys.signing, keys.cookies].every((list) => list.length > 0);
  if (isComplete) {
    return { keys: toKeyMaterial(keys, false), warnings: [] };
  }
  const kept = await readOrMakeSecretsFile(secretsFile, random);
  const completed: KeptKeys = {
    tickets: keys.tickets.length > 0 ? keys.tickets : kept.keys.tickets,
    signing: keys.signing.length > 0 ? keys.signing : kept.keys.signing,
    cookies: keys.cookies.length > 0 ? keys.cookies : kept.keys.cookies,
  };
  const madeNow = kept.isNew && keys.tickets.length === 0;
  return { keys: toKeyMaterial(completed, madeNow), warnings: kept.warnings };
}

function toKeyMaterial(keys: KeptKeys, madeNow: boolean): KeyMaterial {
  return {
    tickets: keys.tickets.map((text) => ({ kid: ticketKeyId(text), secret: new TextEncoder().encode(text) })),
    signing: keys.signing.map(readSigningKey),
    cookies: keys.cookies,
    madeNow,
  };
}

/** Derived from the key, so that processes with equal keys agree on the name without talking. */
function ticketKeyId(secret: string): string {
  return createHash("sha256").update("usher ticket key id\0").update(secret).digest("base64url").slice(0, 8);
}
