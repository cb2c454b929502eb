import { z } from "zod";
import { ROLES } from "../config/index.ts";
import type { DeepReadonly } from "../lib/json.ts";

/** What a key is for. */
export const keyPurposes = ["signing", "tickets", "cookies", "draw"] as const;
export type KeyPurpose = (typeof keyPurposes)[number];

/**
 * Where a key is in its life. `new`: made, and known to operators alone. `staged`: verified with (and published, for `signing`), so
 * that everybody knows it before it signs. `active`: signs; one for each purpose and algorithm. `retiring`: verified with until
 * all that it signed has lapsed. `retired`: worth nothing.
 */
export const keyStates = ["new", "staged", "active", "retiring", "retired"] as const;
export type KeyState = (typeof keyStates)[number];

/** Where a key is from: `automatic` is one that Usher made by itself for a client's algorithm. */
const keySources = ["configuration", "admin_api", "automatic"] as const;
export type KeySource = (typeof keySources)[number];

/** Far more than there can be: see key-lifecycle.ts for what is kept. */
const registeredKeysMax = 1_000;

export const timeMs = z.number().min(0);

const registeredKey = z.strictObject({
  kid: z.string().min(1).max(64),
  purpose: z.enum(keyPurposes),
  /** Of `signing` keys; null for all others. */
  alg: z.string().max(16).nullable(),
  source: z.enum(keySources),
  state: z.enum(keyStates),
  /** When it came into each state that it has been in, in milliseconds since 1970, UTC. */
  since: z.partialRecord(z.enum(keyStates), timeMs),
  /** The key itself, encrypted; null for one of the configuration or of the secrets file, and for a retired one. */
  wrapped: z.string().max(65_536).nullable(),
});

/** Which key the configuration (or the secrets file) has first, as it was last reported, and whether that is still to sign. */
const firstAtSource = z.strictObject({ kid: z.string().min(1).max(64), is_to_sign: z.boolean() });

/** What its holder may authenticate with, newest first: SHA-256, hexadecimal, and until when; null for good. */
export const registeredSecrets = z
  .array(
    z.strictObject({
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
      created_ms: timeMs,
      expires_ms: timeMs.nullable(),
    }),
  )
  .max(10);

const registeredClient = z.strictObject({
  /** As an entry of `clients` in the configuration file, without secrets. */
  document: z.record(z.string(), z.unknown()),
  secrets: registeredSecrets,
  created_ms: timeMs,
  updated_ms: timeMs,
});

const registeredRoom = z.strictObject({
  /** As an entry of `rooms` in the configuration file. */
  document: z.record(z.string(), z.unknown()),
  /** Tells it from an earlier room of the same id. */
  line: z.string().regex(/^[0-9a-f]{8}$/),
  created_ms: timeMs,
  updated_ms: timeMs,
});

/** What a version has changed; of keys the state that they came into, of admin keys their role. */
const recordedChange = z.strictObject({
  version: z.int().min(1),
  at_ms: timeMs,
  /** `room`, `client`, `key`, `admin_key`, or what a feature names so. */
  kind: z.string().regex(/^[a-z_]{1,32}$/),
  id: z.string().max(256),
  what: z.enum(["created", "updated", "deleted", "rotated", "revoked", "opened", "resolved", ...keyStates]),
  purpose: z.enum(keyPurposes).optional(),
  role: z.enum(ROLES).optional(),
});
export type RecordedChange = Readonly<z.infer<typeof recordedChange>>;
/** Features may add members: see `registrySource`. */
const publishedChange: z.ZodType<RecordedChange> = recordedChange.catchall(z.string().max(150));
/** The latest changes, oldest first. */
export const recordedChanges = z.array(publishedChange).max(1_000);

const content = z.strictObject({
  format: z.literal(1),
  /** By client id. */
  clients: z.record(z.string(), registeredClient),
  /** By room id. */
  rooms: z.record(z.string(), registeredRoom).optional(),
  keys: z.array(registeredKey).max(registeredKeysMax),
  changes: recordedChanges.optional(),
  /** By slot (see key-lifecycle.ts). */
  sources: z.record(z.string().max(32), firstAtSource).optional(),
});

/** What an issuer's registry says. Shared as JSON. */
export type RegistryContent = DeepReadonly<z.infer<typeof content>>;
/** A key that an operator made, or what became of one of the configuration. */
export type RegisteredKey = RegistryContent["keys"][number];
/** Clients and rooms that were made by the admin API. */
export type RegisteredClient = RegistryContent["clients"][string];
export type RegisteredRoom = NonNullable<RegistryContent["rooms"]>[string];

/** What a registry may say. */
export interface ContentKind<Content> {
  /** Where nothing was ever changed. */
  readonly empty: Content;
  /** Null for a text that is none, or one of a later Usher. */
  read(text: string): Content | null;
}

export const emptyContent: RegistryContent = { format: 1, clients: {}, keys: [] };
export const issuerContent: ContentKind<RegistryContent> = { empty: emptyContent, read: readerOf(content) };

/** Reads a registry's text as this. */
export function readerOf<Content>(schema: z.ZodType<Content>): (text: string) => Content | null {
  return (text) => {
    try {
      return schema.parse(JSON.parse(text));
    } catch {
      return null;
    }
  };
}
