/** The file in which keys that nobody configured are made once and kept. */
import { mkdir, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { draftOf } from "../../lib/draft-file.ts";
import { SetupError } from "../../lib/errors.ts";
import type { Random } from "../../lib/random.ts";
import { readFileUpTo } from "../../lib/read-file.ts";
import { codeOf, describeFile } from "../../lib/system-errors.ts";
import { ConfigError } from "../checks/faults.ts";
import type { KeysConfig } from "../resolve/config.ts";
import { makeSigningKey, readSigningKey } from "./signing-key.ts";

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
