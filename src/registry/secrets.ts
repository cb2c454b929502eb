/** What holders of clients and admin keys authenticate with: made here, shown once, kept as hashes. */
import { hash } from "node:crypto";
import type { Random } from "../lib/clock-and-random.ts";
import { superseded, unexpired } from "../lib/secret-rotation.ts";
import type { RegisteredClient } from "./content.ts";
import { conflict } from "./refusals.ts";

type Secrets = RegisteredClient["secrets"];

/** What operators read of a rotation. */
export interface RotatedSecretAnswer {
  readonly secret: string;
  /** When the secret before it ends; null where there is none that is still accepted. */
  readonly previousExpiresMs: number | null;
}

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
 * Puts a new secret in front.
 *
 * @param sha256 of the new one; of the secret itself nothing else is kept
 * @throws UsherError `conflict` when too many would work at once
 */
export function addSecret(secrets: Secrets, sha256: string, nowMs: number, overlapMs: number): Secrets {
  const older = superseded(secrets, nowMs, overlapMs);
  if (older.length > olderSecretsMax) {
    throw conflict(
      `${olderSecretsMax} older secrets still work beside the newest: wait until one has ended, ` +
        'or send {"overlap": "0s"}, which ends them all now',
    );
  }
  return [{ sha256, created_ms: nowMs, expires_ms: null }, ...older];
}

/** The same holders, by id, without secrets that have ended. */
export function withoutEndedSecrets<Holder extends { readonly secrets: Secrets }>(
  holders: Readonly<Record<string, Holder>>,
  nowMs: number,
): Record<string, Holder> {
  return Object.fromEntries(
    Object.entries(holders).map(([id, holder]) => [id, { ...holder, secrets: unexpired(holder.secrets, nowMs) }]),
  );
}
