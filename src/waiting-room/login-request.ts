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

/** Characters. */
const hashLength = 8;

/** Names an authorization request: 48 bits of SHA-256 over its parameters as they were sent, in base64url. */
export function hashRequest(query: string): string {
  return hash("sha256", query, "base64url").slice(0, hashLength);
}

export function findRequest(requests: readonly SeenRequest[], name: string): SeenRequest | undefined {
  return requests.find((request) => request.hash === name);
}

/** `hash` and first sight, one after the other, joined by `!`; times in seconds, base 36. Fits a cookie as it is. */
export function encodeRequests(requests: readonly SeenRequest[]): string {
  let encoded = "";
  for (const { hash, firstSeenMs } of requests) {
    encoded += (encoded === "" ? "" : "!") + hash + Math.floor(firstSeenMs / 1_000).toString(36);
  }
  return encoded;
}

export function decodeRequests(encoded: string): readonly SeenRequest[] {
  if (encoded === "") return [];
  return encoded.split("!").map((each) => ({
    hash: each.slice(0, hashLength),
    firstSeenMs: Number.parseInt(each.slice(hashLength), 36) * 1_000,
  }));
}

/** Adds a request that was not seen before; the oldest go first. */
export function rememberRequest(requests: readonly SeenRequest[], hash: string, nowMs: number): readonly SeenRequest[] {
  if (findRequest(requests, hash)) return requests;
  return [...requests, { hash, firstSeenMs: nowMs }].slice(-maxSeenRequests);
}
