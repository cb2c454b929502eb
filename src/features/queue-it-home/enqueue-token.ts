/**
 * Enqueue tokens (`QT1`), by which a site sends the people whom it knows: `HEADER.PAYLOAD.HASH`, each part in base64url. The header is
 * signed and readable, the payload encrypted. In a room by invitation one counts as an invitation.
 */
import { createDecipheriv, createHash, timingSafeEqual } from "node:crypto";
import { SignJWT } from "jose";
import { z } from "zod";
import type { RoomConfig } from "../../config/index.ts";

/** Who is sent, and until when. */
export interface EnqueueToken {
  /** Names the person, by the payload's key; where there is none, the token itself: both are for one place. */
  readonly key: string;
  /** Null: it never ends. */
  readonly expiresMs: number | null;
}

/** For whom it has to be. */
export interface Expected {
  readonly customerId: string;
  readonly eventId: string;
  readonly nowMs: number;
  /** Of the client. */
  readonly address: string;
}

/** Characters. Those of the published SDKs are shorter by far, unless a site puts much of its own into the payload. */
const tokenLengthMax = 4_096;
const shape = /^([A-Za-z0-9_-]{2,4000})\.([A-Za-z0-9_-]{0,4000})\.([A-Za-z0-9_-]{43})=?$/;
/** A time of more is in milliseconds: some SDKs write these, and others seconds, as their documentation has it. */
const secondsMax = 100_000_000_000;
const validityMaxMs = 365 * 86_400_000;

const text = z.string().min(1).max(256);
const header = z.object({
  typ: z.literal("QT1"),
  enc: z.literal("AES256"),
  exp: z.number().positive().nullish(),
  ti: text,
  c: text,
  e: text.nullish(),
  ip: z.string().max(64).nullish(),
});
const payload = z.object({ k: text.nullish() });

/** Null for a token that is not good: why, is not said. @param secretKeys any of them may have signed it */
export function readEnqueueToken(
  token: string,
  secretKeys: readonly string[],
  expected: Expected,
): EnqueueToken | null {
  if (token.length > tokenLengthMax) return null;
  const [, head = "", body = "", hash = ""] = shape.exec(token) ?? [];
  const secretKey = secretKeys.find((key) => isHash(hash, `${head}.${body}${key}`));
  const said = secretKey === undefined ? null : readJson(header, Buffer.from(head, "base64url"));
  if (secretKey === undefined || said === null || !isFor(said, expected)) return null;
  const expiresMs = said.exp == null ? null : said.exp * (said.exp < secondsMax ? 1_000 : 1);
  if (expiresMs !== null && expiresMs <= expected.nowMs) return null;
  const content = body === "" ? {} : readJson(payload, decrypt(body, secretKey, said.ti));
  return content === null ? null : { key: content.k ?? `queue-it token ${said.ti}`, expiresMs };
}

function isFor({ c, e, ip }: z.output<typeof header>, { customerId, eventId, address }: Expected): boolean {
  return (
    c.toLowerCase() === customerId.toLowerCase() &&
    (e == null || e.toLowerCase() === eventId) &&
    (ip == null || ip === "" || ip === address)
  );
}

function isHash(given: string, signed: string): boolean {
  const expected = createHash("sha256").update(signed).digest();
  const bytes = Buffer.from(given, "base64url");
  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}

/** What their payload says, or nothing that is JSON. */
function decrypt(body: string, secretKey: string, id: string): Buffer {
  const key = createHash("sha256").update(secretKey).digest();
  const decipher = createDecipheriv("aes-256-cbc", key, createHash("md5").update(id).digest());
  try {
    return Buffer.concat([decipher.update(Buffer.from(body, "base64url")), decipher.final()]);
  } catch {
    return Buffer.alloc(0);
  }
}

function readJson<Schema extends z.ZodType>(schema: Schema, bytes: Buffer): z.output<Schema> | null {
  try {
    return schema.safeParse(JSON.parse(bytes.toString("utf8"))).data ?? null;
  } catch {
    return null;
  }
}

/**
 * The invitation that a good enqueue token stands for, signed with the room's own secret, so that the gate checks it like any other.
 * Null in a room without such a secret: it goes by invitations that are signed elsewhere.
 *
 * @param issuer of Usher
 */
export async function invitationOf(
  { key, expiresMs }: EnqueueToken,
  {
    room,
    invitations,
    issuer,
    nowMs,
  }: {
    readonly room: string;
    readonly invitations: NonNullable<RoomConfig["invitations"]>;
    readonly issuer: string;
    readonly nowMs: number;
  },
): Promise<string | null> {
  const [secret] = invitations.secrets;
  if (secret === undefined) return null;
  const latestMs = nowMs + validityMaxMs;
  const jwt = new SignJWT({ room })
    .setProtectedHeader({ alg: "HS256" })
    .setAudience(issuer)
    .setSubject(key)
    .setExpirationTime(Math.ceil(Math.min(expiresMs ?? latestMs, latestMs) / 1_000));
  if (invitations.issuer !== undefined) jwt.setIssuer(invitations.issuer);
  return jwt.sign(new TextEncoder().encode(secret));
}
