/** What a backup says: one JSON file, of which nothing but the keys is encrypted, and all of it is authenticated (docs/backup.md). */
import { hash } from "node:crypto";
import { z } from "zod";
import { SetupError } from "../../lib/errors.ts";

export const backupVersion = 1;

/** Bytes that an import takes: some fifteen million keys with a place. */
export const backupBytesMax = 512 * 1_000_000;

const backup = z.object({
  format: z.literal("usher-backup"),
  version: z.int().min(1),
  /** Of the gateway's clock; ISO 8601, UTC. */
  made_at: z.iso.datetime(),
  /** The program's version. */
  usher: z.string(),
  /** By issuer: the secrets file, encrypted. An issuer whose keys are all configured has none here. */
  secrets: z.record(z.string(), z.string()),
  /** What was made or changed at run time: rooms, clients, keys (encrypted), admin keys, webhooks, incidents; by document. */
  registries: z.record(z.string(), z.object({ version: z.int().min(1), content: z.looseObject({}) })),
  /** By line. */
  rooms: z.record(
    z.string().regex(/^[a-z0-9~-]{1,41}$/),
    z.object({
      room: z.string(),
      checkpoint: z.looseObject({}),
      /** Base64; see src/room/replica/keys.ts. */
      keys: z.string().nullable(),
    }),
  ),
  /** Lines of the exported audit, oldest first. */
  audit: z.array(z.looseObject({})),
});
export type Backup = z.infer<typeof backup>;

/** A backup as its file has it. */
export interface BackupFile {
  readonly backup: Backup;
  /** Of all that the file says, but for the seal. */
  readonly digest: string;
  /** The digest as the export sealed it by its passphrase; null: it had none. */
  readonly seal: string | null;
}

/** Of the members in the order of the file. */
export function digestOf(document: object): string {
  return hash("sha256", JSON.stringify({ ...document, seal: undefined }));
}

/** @throws SetupError that says what is wrong with it */
export function readBackup(text: string, file: string): BackupFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new SetupError(`${file} is no backup: it is not JSON, or only a part of a file`);
  }
  const { format, version, seal = null } = Object(value);
  if (format !== "usher-backup") throw new SetupError(`${file} is no backup: usher export makes one`);
  if (Number.isInteger(version) && version > backupVersion)
    throw new SetupError(`${file} is of version ${version}, and this Usher reads ${backupVersion}: use a newer one`);
  const read = backup.safeParse(value);
  if (read.success && (seal === null || typeof seal === "string"))
    return { backup: read.data, digest: digestOf(value as object), seal };
  throw new SetupError(
    `${file} is no whole backup:\n${read.success ? "seal: expected text" : z.prettifyError(read.error)}`,
  );
}
