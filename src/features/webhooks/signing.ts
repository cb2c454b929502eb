/** Standard Webhooks: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from "node:crypto";
import type { MacKey } from "../../config/index.ts";
import type { Random } from "../../lib/clock-and-random.ts";

const prefix = "whsec_";
const secretBytes = 32;
const ivBytes = 12;
const tagBytes = 16;

export function newWebhookSecret(random: Random): string {
  return prefix + random.bytes(secretBytes).toString("base64");
}

/** @param secrets each signs, so that a receiver may know either in a rotation @param timeSec since 1970 */
export function signedHeaders(secrets: readonly string[], id: string, timeSec: number, body: string) {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timeSec}.${body}`).digest("base64")}`;
  });
  return { "webhook-id": id, "webhook-timestamp": String(timeSec), "webhook-signature": signatures.join(" ") };
}

/** Encrypts a secret with what all processes have, for this webhook alone. */
export function sealSecret(root: MacKey, webhook: string, secret: string, random: Random): string {
  const iv = random.bytes(ivBytes);
  const cipher = createCipheriv("aes-256-gcm", sealingKey(root), iv).setAAD(Buffer.from(webhook));
  const sealed = Buffer.concat([iv, cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
  return `${root.kid}.${sealed.toString("base64url")}`;
}

/** Null where none of the roots has sealed it for this webhook. */
export function openSecret(roots: readonly MacKey[], webhook: string, sealed: string): string | null {
  const root = roots.find(({ kid }) => kid === sealedWith(sealed));
  if (root === undefined) return null;
  try {
    const bytes = Buffer.from(sealed.slice(sealed.lastIndexOf(".") + 1), "base64url");
    const decipher = createDecipheriv("aes-256-gcm", sealingKey(root), bytes.subarray(0, ivBytes));
    decipher.setAAD(Buffer.from(webhook)).setAuthTag(bytes.subarray(-tagBytes));
    return Buffer.concat([decipher.update(bytes.subarray(ivBytes, -tagBytes)), decipher.final()]).toString();
  } catch {
    return null;
  }
}

/** The id of the key. */
export function sealedWith(sealed: string): string {
  return sealed.slice(0, sealed.lastIndexOf("."));
}

/** RFC 5869. A key of its own, so that what it seals says nothing about the ticket key. */
function sealingKey({ secret }: MacKey): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secret, "", "usher webhook secrets", 32));
}
