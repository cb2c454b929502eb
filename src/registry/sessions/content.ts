import { z } from "zod";
import { ROLES } from "../../config/index.ts";
import type { DeepReadonly } from "../../lib/json.ts";
import { type ContentKind, readerOf, timeMs } from "../content.ts";

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const times = {
  created_ms: timeMs,
  /** When a request came with it last, to within a part of the idle time. */
  seen_ms: timeMs,
  expires_ms: timeMs,
};

/** Somebody who signed in with an admin key: the session is worth what the key is. */
const ofKey = z.strictObject({ kind: z.literal("key"), key: z.string().max(64), key_sha256: sha256, ...times });

/** A person who signed in at the provider, with what the rules gave then. */
const ofPerson = z.strictObject({
  kind: z.literal("person"),
  id: z.string().max(128),
  name: z.string().max(100),
  role: z.enum(ROLES),
  rooms: z.array(z.string().min(1).max(32)).min(1).max(1_000).nullable(),
  /** Of the rules: under others the session is worth nothing. */
  rules: sha256,
  /** The provider's session, for its logout; null where it named none. */
  sid: z.string().max(256).nullable(),
  ...times,
});

const content = z.strictObject({
  format: z.literal(1),
  /** By the SHA-256 of what is in the cookie. */
  sessions: z.record(sha256, z.discriminatedUnion("kind", [ofKey, ofPerson])),
  /** Logout tokens that were taken, by the SHA-256 of their `jti`: until when one would be taken, in ms since 1970. */
  logouts: z.record(sha256, timeMs),
});

/** The sessions of operators' browsers. Shared as JSON. */
export type SessionsContent = DeepReadonly<z.infer<typeof content>>;
export type RegisteredSession = SessionsContent["sessions"][string];

export const sessionsContent: ContentKind<SessionsContent> = {
  empty: { format: 1, sessions: {}, logouts: {} },
  read: readerOf(content),
};
