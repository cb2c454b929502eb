/** What a backup says: one JSON file, of which nothing but the keys is encrypted (docs/backup.md). */
import { z } from "zod";
import { SetupError } from "../lib/errors.ts";

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
      /** Base64; see src/room/replica/keys/key-file.ts. */
      keys: z.string().nullable(),
    }),
  ),
  /** Lines of the exported audit, oldest first. */
  audit: z.array(z.looseObject({})),
});
export type Backup = z.infer<typeof backup>;

/** @throws SetupError that says what is wrong with it */
export function readBackup(text: string, file: string): Backup {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new SetupError(`${file} is no backup: it is not JSON, or only a part of a file`);
  }
  const { format, version } = Object(value);
  if (format !== "usher-backup") throw new SetupError(`${file} is no backup: usher export makes one`);
  if (Number.isInteger(version) && version > backupVersion)
    throw new SetupError(`${file} is of version ${version}, and this Usher reads ${backupVersion}: use a newer one`);
  const read = backup.safeParse(value);
  if (read.success) return read.data;
  throw new SetupError(`${file} is no whole backup:\n${z.prettifyError(read.error)}`);
}
