import { z } from "zod";
import { ROLES } from "../../config/index.ts";
import type { DeepReadonly } from "../../lib/json.ts";
import { type ContentKind, readerOf, recordedChanges, registeredSecrets, timeMs } from "../content.ts";

const registeredAdminKey = z.strictObject({
  role: z.enum(ROLES),
  /** Null for all, and for what is of no room. */
  rooms: z.array(z.string().min(1).max(32)).min(1).max(1_000).nullable(),
  note: z.string().max(200).nullable(),
  secrets: registeredSecrets,
  /** Who made it: the id, and what tells a key from others of that id (`identityOf`). */
  created_by: z.string().max(256),
  maker: z.string().max(256).optional(),
  /** Who else has made a secret of it, the last one: for good, since whoever did may hold it. */
  rotated_by: z.string().max(256).optional(),
  created_ms: timeMs,
  /** Null for good. */
  expires_ms: timeMs.nullable(),
});

/** Ids that are remembered: of keys made every hour, those of some seven months. */
export const endedMax = 5_000;

const content = z.strictObject({
  format: z.literal(1),
  /** By id. */
  keys: z.record(z.string(), registeredAdminKey),
  /** Ids of keys that were revoked, oldest first. */
  ended: z.array(z.string().max(64)).max(endedMax).optional(),
  changes: recordedChanges.optional(),
});

/** The admin keys of an installation that were made at run time. Shared as JSON. */
export type AdminKeysContent = DeepReadonly<z.infer<typeof content>>;
export type RegisteredAdminKey = AdminKeysContent["keys"][string];

export const adminKeysContent: ContentKind<AdminKeysContent> = {
  empty: { format: 1, keys: {} },
  read: readerOf(content),
};

/** Tells a key that was made at run time from any other, whatever that is named. */
export function identityOf(id: string, { created_ms: createdMs }: Pick<RegisteredAdminKey, "created_ms">): string {
  return `made ${id} ${createdMs}`;
}
