/** The keys in use, and the file in which keys that nobody configured are created once and stored. */
import { existsSync } from "node:fs";
import { mkdir, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { type Random, systemRandom } from "../../lib/clock-and-random.ts";
import { draftOf } from "../../lib/draft-file.ts";
import { SetupError } from "../../lib/errors.ts";
import { readFileUpTo } from "../../lib/read-file.ts";
import { codeOf, describeFile } from "../../lib/system-errors.ts";
import { ConfigError } from "../checks/faults.ts";
import { findSharedKeys } from "../checks/issuer-checks.ts";
import type { IssuerConfig, KeyMaterial, KeysConfig, SigningJwk, UsherConfig } from "../config.ts";
import { deriveDrawKey, keyPairOf, makeSigningKey, readSigningKey, readTicketKey } from "./keys.ts";

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
    existsSync(secretsFile) ||
    issuers.some((issuer) => issuer.keys.tickets.length > 0 || existsSync(issuer.secretsFile));
  const byIssuer = new Map<string, KeyMaterial>();
  const inUse = new Map<string, KeysConfig>();
  const warnings: string[] = [];
  let createdAny = false;
  for (const issuer of issuers) {
    const { keys, texts, createdNow, warnings: ofFile } = await loadKeyMaterial(issuer, random);
    byIssuer.set(issuer.issuer, keys);
    inUse.set(issuer.issuer, texts);
    warnings.push(...ofFile);
    createdAny ||= createdNow;
    if (createdNow && issuer.secretsFile !== secretsFile && existsSync(secretsFile)) {
      warnings.push(
        `keys of ${issuer.issuer} were made now and are kept in ${issuer.secretsFile}; ${secretsFile} holds those of a single ` +
          "issuer: if that was this one, stop, copy it to where the new ones are, and start again, or its visitors lose their places",
      );
    }
  }
  const shared = findSharedKeys(issuers, inUse);
  if (shared.length > 0) throw new ConfigError("The issuers' keys can't be used:", shared);
  return { byIssuer, isNewInstallation: !hadKeys && createdAny, warnings };
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
): Promise<{ keys: KeyMaterial; texts: KeysConfig; createdNow: boolean; warnings: readonly string[] }> {
  const { keys, secretsFile } = config;
  const isComplete = [keys.tickets, keys.signing, keys.cookies].every((list) => list.length > 0);
  if (isComplete) return { keys: toKeyMaterial(keys), texts: keys, createdNow: false, warnings: [] };
  const { keys: stored, isNew, warnings } = await readOrMakeSecretsFile(secretsFile, random);
  const configured = Object.fromEntries(Object.entries(keys).filter(([, list]) => list.length > 0));
  const texts = { ...stored, ...configured };
  return { keys: toKeyMaterial(texts), texts, createdNow: isNew && keys.tickets.length === 0, warnings };
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

const secretsBytesMax = 1_048_576;

const FORMAT_VERSION = 1;
const KEY_BYTES = 32;
const GROUP_OR_WORLD = 0o077;

const macKeys = z.array(z.string().min(32).max(16_384)).min(1).max(10);
const content = z.strictObject({
  version: z.literal(FORMAT_VERSION),
  tickets: macKeys,
  signing: z.array(z.string().max(16_384)).min(1).max(10),
  cookies: macKeys,
});

/**
 * Reads the file, or makes it when there is none (`isNew`): mode 0600, in a directory of mode 0700 if that has to be
 * made too. The file appears complete or not at all, and the first of several makers wins.
 *
 * @throws SetupError when it can't be read or made, or has another content than Usher writes.
 */
export async function readOrMakeSecretsFile(file: string, random: Random) {
  const existing = await readSecretsFile(file);
  if (existing !== null) return existing;
  const keys = await makeKeys(random);
  const isNew = await publishOnce(file, `${JSON.stringify({ version: FORMAT_VERSION, ...keys }, null, 2)}\n`);
  if (isNew) return { keys, isNew, warnings: [] };
  const winner = await readSecretsFile(file);
  return winner ?? refuse(file, "there is something that is no file (a broken link?): remove it");
}

/**
 * The text of the file, for a backup; null where there is none.
 *
 * @throws SetupError as `readOrMakeSecretsFile`
 */
export async function copySecretsFile(file: string): Promise<string | null> {
  if ((await readSecretsFile(file)) === null) return null;
  return (await readFileUpTo(file, secretsBytesMax)).toString("utf8");
}

/**
 * Whether the text of a backup may be put in place: there is no file yet, or one with the same keys.
 *
 * @throws SetupError when it is no whole secrets file, or that which is there cannot be read
 */
export async function mayRestoreSecretsFile(file: string, text: string): Promise<boolean> {
  const keys = parse("the secrets file in the backup", text);
  const existing = await readSecretsFile(file);
  return existing === null || isDeepStrictEqual(existing.keys, keys);
}

/** Puts the text of a backup in place; one that is there is never written over. */
export async function restoreSecretsFile(file: string, text: string): Promise<void> {
  await publishOnce(file, text);
}

async function makeKeys(random: Random): Promise<KeysConfig> {
  const macKey = () => random.bytes(KEY_BYTES).toString("base64url");
  return { tickets: [macKey()], signing: [await makeSigningKey("RS256", random)], cookies: [macKey()] };
}

/** Answers null when there is no such file. */
async function readSecretsFile(file: string) {
  let text: string;
  let mode: number;
  try {
    text = (await readFileUpTo(file, secretsBytesMax)).toString("utf8");
    mode = (await stat(file)).mode;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    const reason = describeFile(codeOf(error), file, "reading");
    throw new SetupError(`${reason}; without its keys every place and session would be lost`, { cause: error });
  }
  const warnings =
    (mode & GROUP_OR_WORLD) === 0 ? [] : [`${file} holds private keys and is open to other users: chmod 600 ${file}`];
  return { keys: parse(file, text), isNew: false, warnings };
}

function parse(file: string, text: string): KeysConfig {
  try {
    const { version: _, ...keys } = content.parse(JSON.parse(text));
    for (const key of keys.signing) readSigningKey(key);
    return keys;
  } catch {
    // No error is passed on: it may quote the keys.
    const message =
      "is not a whole secrets file; Usher never overwrites it: restore it from a backup, or move it away to make new keys, " +
      "which voids every place in line and every session";
    return refuse(file, message);
  }
}

function refuse(file: string, message: string): never {
  throw new ConfigError("The kept keys can't be used:", [{ path: file, value: null, message }]);
}

/**
 * Makes the file unless it exists; answers whether this call made it. No
 * other process sees half of it.
 */
async function publishOnce(file: string, text: string): Promise<boolean> {
  const draft = draftOf(file);
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(draft.path, text, { flag: "wx", mode: 0o600, flush: true });
    draft.put(false);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    const advice =
      "or name another place in secrets_file or USHER_SECRETS_FILE, or configure keys.tickets, keys.signing and keys.cookies";
    throw new SetupError(`${describeFile(codeOf(error), dirname(file), "making the secrets file")}; ${advice}`, {
      cause: error,
    });
  } finally {
    draft.drop();
  }
}
