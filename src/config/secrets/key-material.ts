import { existsSync } from "node:fs";
import { type Random, systemRandom } from "../../lib/random.ts";
import { ConfigError } from "../checks/faults.ts";
import { findSharedKeys } from "../checks/issuer-checks.ts";
import type { IssuerConfig, KeyMaterial, KeysConfig, SigningJwk, UsherConfig } from "../resolve/config.ts";
import { deriveDrawKey, readTicketKey } from "./mac-key.ts";
import { readOrMakeSecretsFile } from "./secrets-file.ts";
import { keyPairOf, readSigningKey } from "./signing-key.ts";

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
export async function loadKeysOfIssuers(config: UsherConfig, random: Random = systemRandom): Promise<KeysOfIssuers> {
  const { issuers, secretsFile } = config;
  // Before any are made: of processes that start at once, each may make the keys of some issuers.
  const hadKeys =
    existsSync(secretsFile) || issuers.some((each) => each.keys.tickets.length > 0 || existsSync(each.secretsFile));
  const byIssuer = new Map<string, KeyMaterial>();
  const inUse = new Map<string, KeysConfig>();
  const warnings: string[] = [];
  let madeAny = false;
  for (const each of issuers) {
    const { keys, texts, madeNow, warnings: ofFile } = await loadKeyMaterial(each, random);
    byIssuer.set(each.issuer, keys);
    inUse.set(each.issuer, texts);
    warnings.push(...ofFile);
    madeAny ||= madeNow;
    if (madeNow && each.secretsFile !== secretsFile && existsSync(secretsFile)) {
      warnings.push(
        `keys of ${each.issuer} were made now and are kept in ${each.secretsFile}; ${secretsFile} holds those of a single ` +
          "issuer: if that was this one, stop, copy it to where the new ones are, and start again, or its visitors lose their places",
      );
    }
  }
  const shared = findSharedKeys(issuers, inUse);
  if (shared.length > 0) throw new ConfigError("The issuers' keys can't be used:", shared);
  return { byIssuer, isNewInstallation: !hadKeys && madeAny, warnings };
}

/**
 * The keys in use of one issuer: those of the configuration, and for each purpose that nobody configured the ones kept in
 * the secrets file, which is made now if it is not there. Any number of processes that start at once on
 * the same file end with the same keys.
 *
 * @throws ConfigError when the file can't be read or made, or is not what Usher wrote (it is never overwritten), and when
 *   there is no key for RS256
 */
export async function loadKeyMaterial(
  config: Pick<IssuerConfig, "keys" | "secretsFile">,
  random: Random = systemRandom,
): Promise<{ keys: KeyMaterial; texts: KeysConfig; madeNow: boolean; warnings: readonly string[] }> {
  const { keys, secretsFile } = config;
  const isComplete = [keys.tickets, keys.signing, keys.cookies].every((list) => list.length > 0);
  if (isComplete) return { keys: toKeyMaterial(keys), texts: keys, madeNow: false, warnings: [] };
  const { keys: kept, isNew, warnings } = await readOrMakeSecretsFile(secretsFile, random);
  const configured = Object.fromEntries(Object.entries(keys).filter(([, list]) => list.length > 0));
  const texts = { ...kept, ...configured };
  return { keys: toKeyMaterial(texts), texts, madeNow: isNew && keys.tickets.length === 0, warnings };
}

function toKeyMaterial(keys: KeysConfig): KeyMaterial {
  const signing = readSigningKeys(keys.signing);
  if (!signing.some(({ alg }) => alg === "RS256")) {
    const message =
      "has no RSA key for RS256, which admission tokens and most clients go by: put one beside the others " +
      "(openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048)";
    throw new ConfigError("The signing keys can't be used:", [{ path: "keys.signing", value: null, message }]);
  }
  const tickets = keys.tickets.map(readTicketKey);
  return { tickets, signing, cookies: keys.cookies, draw: tickets.map(deriveDrawKey) };
}

/** Those for RS256 first. The same key is there once, whatever it is spelled like. */
export function readSigningKeys(written: readonly string[]): SigningJwk[] {
  const byPair = new Map<string, SigningJwk>();
  for (const key of written.map(readSigningKey)) if (!byPair.has(keyPairOf(key))) byPair.set(keyPairOf(key), key);
  const isDefault = ({ alg }: SigningJwk) => alg === "RS256";
  const all = [...byPair.values()];
  return [...all.filter(isDefault), ...all.filter((key) => !isDefault(key))];
}
