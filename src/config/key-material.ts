import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import type { Random } from "../lib/random.ts";
import { systemRandom } from "../lib/random.ts";
import type { IssuerConfig, KeyMaterial, UsherConfig } from "./config.ts";
import { ConfigError } from "./faults.ts";
import { type KeptKeys, readOrMakeSecretsFile } from "./secrets-file.ts";
import { findSharedKeys } from "./shared-keys.ts";
import { readSigningKey } from "./signing-key.ts";

export interface KeyOptions {
  readonly random?: Random;
}

export interface KeysOfIssuers {
  readonly byIssuer: ReadonlyMap<string, KeyMaterial>;
  /** Whether there were no ticket keys before this start, of any issuer, so that no ticket can exist yet. */
  readonly isNewInstallation: boolean;
  readonly warnings: readonly string[];
}

/**
 * The keys in use of every issuer.
 *
 * @throws ConfigError as `loadKeyMaterial`, and when two issuers have a key in common
 */
export async function loadKeysOfIssuers(config: UsherConfig, options: KeyOptions = {}): Promise<KeysOfIssuers> {
  const { issuers, secretsFile } = config;
  // Before any are made: of processes that start at once, each may make the keys of some issuers.
  const hadKeys =
    existsSync(secretsFile) || issuers.some((each) => each.keys.tickets.length > 0 || existsSync(each.secretsFile));
  const byIssuer = new Map<string, KeyMaterial>();
  const warnings: string[] = [];
  for (const each of issuers) {
    const { keys, warnings: ofFile } = await loadKeyMaterial(each, options);
    byIssuer.set(each.issuer, keys);
    warnings.push(...ofFile);
    if (keys.madeNow && each.secretsFile !== secretsFile && existsSync(secretsFile)) {
      warnings.push(
        `keys of ${each.issuer} were made now and are kept in ${each.secretsFile}; ${secretsFile} holds those of a single ` +
          "issuer: if that was this one, stop, copy it to where the new ones are, and start again, or its visitors lose their places",
      );
    }
  }
  const shared = findSharedKeys(issuers, byIssuer);
  if (shared.length > 0) throw new ConfigError("The issuers' keys can't be used:", shared);
  const madeAny = [...byIssuer.values()].some(({ madeNow }) => madeNow);
  return { byIssuer, isNewInstallation: !hadKeys && madeAny, warnings };
}

/**
 * The keys in use of one issuer: those of the configuration, and for each purpose that nobody configured the ones kept in
 * the secrets file, which is made now if it is not there. Any number of processes that start at once on
 * the same file end with the same keys.
 *
 * @throws ConfigError when the file can't be read or made, or is not what Usher wrote. It is never overwritten.
 */
export async function loadKeyMaterial(
  config: Pick<IssuerConfig, "keys" | "secretsFile">,
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
