/**
 * The token with which a visitor comes back to a site that has a connector of Queue-it: `e_event1~q_UUID~ts_SECONDS~…~h_HEX`. What
 * stands in it is what all connectors accept: some refuse a token without `q` or `rt`, one with capital letters in an id or the hash,
 * or one whose hash is not the last.
 */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { type Admission, type AwayAdmission, nameInVisitorId } from "../../room/index.ts";

/** Why the visitor was let in, in their words. */
export type RedirectType = "queue" | "idle" | "disabled" | "afterevent" | "bypass" | "safetynet";

export interface QueueItToken {
  readonly eventId: string;
  /** See `queueIdOf`. */
  readonly queueId: string;
  /** Seconds since 1970: until then the site takes it. */
  readonly untilSec: number;
  /** Whether the site may extend its session while the visitor is there. */
  readonly isExtendable: boolean;
  /** Minutes for which the site's session counts; null: as the site's connector is set. */
  readonly validityMin: number | null;
  readonly redirectType: RedirectType;
}

/** Seconds for which a token counts: with a site whose clock is wrong by less, a second try helps. */
export const tokenSec = { first: 120, again: 180 } as const;

/** The key that signs: that in force, where its source has several. */
export function signingKeyOf({ secretKeys }: { readonly secretKeys: readonly string[] }): string {
  const [key] = secretKeys;
  if (key === undefined) throw new TypeError("a home has a secret key");
  return key;
}

/** The token with its hash: HMAC-SHA256 of all that stands before it, in lower-case hexadecimal digits. */
export function encodeToken(token: QueueItToken, secretKey: string): string {
  const { eventId, queueId, untilSec, isExtendable, validityMin, redirectType } = token;
  const said = [
    `e_${eventId}`,
    `q_${queueId}`,
    `ts_${untilSec}`,
    `ce_${isExtendable}`,
    ...(validityMin === null ? [] : [`cv_${validityMin}`]),
    `rt_${redirectType}`,
  ].join("~");
  return `${said}~h_${createHmac("sha256", secretKey).update(said).digest("hex")}`;
}

/** Characters; ours have fewer by half. */
const tokenLengthMax = 512;

/** For so long after its end a token counts as one that a site has just refused, in seconds. */
const refusedForSec = 3_600;

/** Whether one of these keys has signed a token, which may have ended within the hour. */
export function isSigned(token: unknown, secretKeys: readonly string[], nowMs: number): boolean {
  if (typeof token !== "string" || token.length > tokenLengthMax) return false;
  const [, said, hash = ""] = /^(.+)~h_([0-9a-f]{64})$/s.exec(token) ?? [];
  if (said === undefined) return false;
  const untilSec = Number(/~ts_(\d{1,12})~/.exec(said)?.[1] ?? 0);
  if (nowMs / 1_000 - untilSec > refusedForSec) return false;
  const given = Buffer.from(hash, "hex");
  return secretKeys.some((key) => timingSafeEqual(given, createHmac("sha256", key).update(said).digest()));
}

/**
 * The visitor's id in the form of a UUID, since connectors drop one with an underscore: the same for each visit of the same visitor in the
 * room. The bits of a `sub` that has as many, else a hash.
 */
export function queueIdOf(sub: string): string {
  const name = nameInVisitorId(sub);
  const bytes = Buffer.from(name, "base64url");
  const isWhole = bytes.length === 16 && bytes.toString("base64url") === name;
  const hex = isWhole ? bytes.toString("hex") : createHash("sha256").update(`queue-it ${sub}`).digest("hex");
  return hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

const types: Readonly<Record<Admission["via"] | AwayAdmission["via"], RedirectType>> = {
  queue: "queue",
  idle: "idle",
  passthrough: "disabled",
  ended: "afterevent",
  bypass: "bypass",
  away: "safetynet",
};

/**
 * What a token says of an admission. The token never outlives it. Where admissions end at a fixed time the site's session ends then, too;
 * where they are sliding, the site goes by its own setting.
 *
 * @param nowMs of the store
 * @param isAgain whether the site has refused one just now
 */
export function tokenOf(
  { sub, via, expiresMs }: Pick<Admission | AwayAdmission, "sub" | "via" | "expiresMs">,
  { eventId, nowMs, isSliding, isAgain }: { eventId: string; nowMs: number; isSliding: boolean; isAgain: boolean },
): QueueItToken {
  const untilSec = Math.floor(nowMs / 1_000) + (isAgain ? tokenSec.again : tokenSec.first);
  return {
    eventId,
    queueId: queueIdOf(sub),
    untilSec: Math.min(untilSec, Math.ceil(expiresMs / 1_000)),
    isExtendable: isSliding,
    validityMin: isSliding ? null : Math.max(1, Math.round((expiresMs - nowMs) / 60_000)),
    redirectType: types[via],
  };
}
