/** Subscriptions as browsers send them, and as the store keeps them. */
import { createECDH } from "node:crypto";
import { z } from "zod";
import { UsherError } from "../../lib/errors.ts";
import type { SubscriptionKeys } from "./encryption.ts";
import { isEndpoint } from "./services.ts";

/** Bytes of the request; what browsers send has about 500. */
export const subscriptionBytesMax = 4_096;
const addressMax = 2_048;
const keyBytes = { p256dh: 65, auth: 16 };

/** Where and how to notify a visitor. */
export interface Subscription {
  readonly endpoint: string;
  /** As browsers send them, base64url. */
  readonly p256dh: string;
  readonly auth: string;
  /** Tag. */
  readonly language: string;
  /** Of the ticket key whose VAPID key it was made with. */
  readonly kid: string;
  /** Where the notification leads: by what way the visitor came. */
  readonly address: string;
  /** The client by which they came; null for a link to the room. */
  readonly client: string | null;
}

const storedShape = z.tuple([
  z.string(),
  z.string(),
  z.string(),
  z.string(),
  z.string(),
  z.string(),
  z.string().nullable(),
]);

/** What a browser's `PushSubscription` says of itself as JSON, with the language of the page. */
const sent = z.object({
  endpoint: z.string(),
  keys: z.object({ p256dh: z.string().max(100), auth: z.string().max(40) }),
  language: z.string().max(35).optional(),
  /** The key that the browser has subscribed with. */
  public_key: z.string().max(100).optional(),
});
export type SentSubscription = z.output<typeof sent>;

/** @throws UsherError `bad_request` */
export function readSent(body: unknown, services: readonly string[]): SentSubscription {
  const read = sent.safeParse(body);
  if (!read.success) throw refusal("expected { endpoint, keys: { p256dh, auth } }, as PushSubscription.toJSON() says");
  if (!isEndpoint(read.data.endpoint, services)) {
    throw refusal("endpoint: this is no push service that the waiting room sends to");
  }
  if (!areKeys(keysOf(read.data.keys))) throw refusal("keys: expected a point of P-256 and 16 bytes, in base64url");
  return read.data;
}

export function keysOf({ p256dh, auth }: Readonly<Record<"p256dh" | "auth", string>>): SubscriptionKeys {
  return { p256dh: Buffer.from(p256dh, "base64url"), auth: Buffer.from(auth, "base64url") };
}

function areKeys({ p256dh, auth }: SubscriptionKeys): boolean {
  if (p256dh.length !== keyBytes.p256dh || auth.length !== keyBytes.auth) return false;
  const ecdh = createECDH("prime256v1");
  ecdh.generateKeys();
  try {
    ecdh.computeSecret(p256dh);
    return true;
  } catch {
    return false;
  }
}

export function writeSubscription(subscription: Subscription): string {
  const { endpoint, p256dh, auth, language, kid, address, client } = subscription;
  return JSON.stringify([endpoint, p256dh, auth, language, kid, address.length > addressMax ? "" : address, client]);
}

/** Null for one that another version has kept. */
export function readSubscription(text: string): Subscription | null {
  try {
    const [endpoint, p256dh, auth, language, kid, address, client] = storedShape.parse(JSON.parse(text));
    return { endpoint, p256dh, auth, language, kid, address, client };
  } catch {
    return null;
  }
}

function refusal(message: string): UsherError {
  return new UsherError("bad_request", message);
}
