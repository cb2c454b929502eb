import { hash } from "node:crypto";

/**
 * An authorization request that a visitor has come with. Relying parties remember their side of it for
 * minutes only, so its age is kept with the visitor's ticket, not with the request.
 */
export interface SeenRequest {
  /** See `hashRequest`. */
  readonly hash: string;
  /** Clock of the process that saw it first, in milliseconds; kept to the second. */
  readonly firstSeenMs: number;
}

/** How many requests a ticket remembers: several tabs, restarts and the back button. */
const maxSeenRequests = 8;

/** After so many restarts without a finished login in between, a page explains instead. */
export const maxRestartsInARow = 3;

/** Names an authorization request: 48 bits of SHA-256 over its parameters as they were sent, in base64url. */
export function hashRequest(query: string): string {
  return hash("sha256", query, "base64url").slice(0, 8);
}

export function findRequest(requests: readonly SeenRequest[], name: string): SeenRequest | undefined {
  return requests.find((request) => request.hash === name);
}

/** Adds a request that was not seen before; the oldest go first. */
export function rememberRequest(requests: readonly SeenRequest[], hash: string, nowMs: number): readonly SeenRequest[] {
  if (findRequest(requests, hash)) return requests;
  return [...requests, { hash, firstSeenMs: nowMs }].slice(-maxSeenRequests);
}
