import type { RegisteredClient, RegistryContent } from "../content.ts";
import { conflict } from "./client-refusals.ts";

/** What a client may authenticate with; of the secret itself nothing but its hash is kept. */
export type RegisteredSecret = RegisteredClient["secrets"][number];

/** The number of older secrets that may still work when a new one is made. */
const OLDER_SECRETS_MAX = 2;

/**
 * Puts a new secret in front. Those before it end when the overlap does, unless they end sooner; without an overlap, now.
 *
 * @param sha256 of the new one
 * @throws UsherError `conflict` when too many would work at once
 */
export function addSecret(
  secrets: readonly RegisteredSecret[],
  sha256: string,
  nowMs: number,
  overlapMs: number,
): RegisteredSecret[] {
  const endMs = nowMs + overlapMs;
  const older = secrets
    .map((secret) => ({ ...secret, expires_ms: Math.min(secret.expires_ms ?? endMs, endMs) }))
    .filter((secret) => isLive(secret, nowMs));
  if (older.length > OLDER_SECRETS_MAX) {
    const message =
      `${OLDER_SECRETS_MAX} older secrets of this client still work beside the newest: wait until one has ended, ` +
      'or send {"overlap": "0s"}, which ends them all now';
    throw conflict(message);
  }
  return [{ sha256, created_ms: nowMs, expires_ms: null }, ...older];
}

/** Without the secrets that have ended, of any client. */
export function withoutEndedSecrets(clients: RegistryContent["clients"], nowMs: number): RegistryContent["clients"] {
  return Object.fromEntries(
    Object.entries(clients).map(([id, client]) => [
      id,
      { ...client, secrets: client.secrets.filter((secret) => isLive(secret, nowMs)) },
    ]),
  );
}

export function isLive({ expires_ms: endMs }: RegisteredSecret, nowMs: number): boolean {
  return endMs === null || nowMs < endMs;
}
