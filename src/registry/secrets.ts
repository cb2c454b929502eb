/** What holders of clients and admin keys authenticate with: made here, shown once, kept as hashes. */
import { hash } from "node:crypto";
import type { Random } from "../lib/random.ts";
import type { RegisteredClient } from "./content.ts";
import { conflict } from "./refusals.ts";

export type Secrets = RegisteredClient["secrets"];

const secretBytes = 32;
/** The number of older secrets that may still work when a new one is made. */
const olderSecretsMax = 2;

export function newSecret(random: Random): string {
  return random.bytes(secretBytes).toString("base64url");
}

export function hashSecret(secret: string): string {
  return hash("sha256", secret);
}

/**
 * Puts a new secret in front. Those before it end when the overlap does, unless they end sooner; without an overlap, now.
 *
 * @param sha256 of the new one; of the secret itself nothing else is kept
 * @throws UsherError `conflict` when too many would work at once
 */
export function addSecret(secrets: Secrets, sha256: string, nowMs: number, overlapMs: number): Secrets {
  const endMs = nowMs + overlapMs;
  const ending = secrets.map((secret) => ({ ...secret, expires_ms: Math.min(secret.expires_ms ?? endMs, endMs) }));
  const older = liveAmong(ending, nowMs);
  if (older.length > olderSecretsMax) {
    throw conflict(
      `${olderSecretsMax} older secrets still work beside the newest: wait until one has ended, ` +
        'or send {"overlap": "0s"}, which ends them all now',
    );
  }
  return [{ sha256, created_ms: nowMs, expires_ms: null }, ...older];
}

export function liveAmong(secrets: Secrets, nowMs: number): Secrets {
  return secrets.filter(({ expires_ms: endMs }) => endMs === null || nowMs < endMs);
}
