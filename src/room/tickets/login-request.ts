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
  /** See `nameSeries`; absent where the sender of the visitor remembers every request. */
  readonly series?: string;
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

/**
 * A short name for the requests of one client that remembers only its newest login. Two clients of a room may share one
 * by accident (1 in 4096): that costs a restart.
 */
export function nameSeries(clientId: string): string {
  return hash("sha256", clientId, "base64url").slice(0, 2);
}

export function findRequest(requests: readonly SeenRequest[], name: string): SeenRequest | undefined {
  return requests.find((request) => request.hash === name);
}

/**
 * Whether a newer request of the same series is known, so that the sender of the visitor has forgotten this one. A request of
 * unknown age is not newer.
 *
 * @param elsewhere requests that the visitor's tickets of other rooms remember
 */
export function isSuperseded(
  requests: readonly SeenRequest[],
  name: string,
  series: string | undefined,
  elsewhere: readonly SeenRequest[] = [],
): boolean {
  const index = series === undefined ? -1 : requests.findIndex((request) => request.hash === name);
  const firstSeenMs = requests[index]?.firstSeenMs;
  if (firstSeenMs === undefined) return false;
  return (
    requests.slice(index + 1).some((later) => later.series === series && later.firstSeenMs > 0) ||
    // Times are kept to the second: of two in the same one, neither is known to be newer.
    elsewhere.some((other) => other.series === series && other.firstSeenMs > firstSeenMs)
  );
}

/**
 * `hash` and first sight, one after the other, then `_` and the series where there is one; joined by `!`. Times are in
 * seconds, base 36. Fits a cookie as it is.
 */
export function encodeRequests(requests: readonly SeenRequest[]): string {
  let encoded = "";
  for (const { hash, firstSeenMs, series } of requests) {
    encoded += (encoded === "" ? "" : "!") + hash + Math.floor(firstSeenMs / 1_000).toString(36);
    if (series !== undefined) encoded += `_${series}`;
  }
  return encoded;
}

export function decodeRequests(encoded: string): readonly SeenRequest[] {
  if (encoded === "") return [];
  return encoded.split("!").map((each) => {
    const seriesAt = each.indexOf("_", hashLength);
    return {
      hash: each.slice(0, hashLength),
      // The number ends where the series begins.
      firstSeenMs: Number.parseInt(each.slice(hashLength), 36) * 1_000,
      ...(seriesAt > 0 && { series: each.slice(seriesAt + 1) }),
    };
  });
}

/** Adds a request that was not seen before; the oldest go first. */
export function rememberRequest(
  requests: readonly SeenRequest[],
  hash: string,
  nowMs: number,
  series?: string,
): readonly SeenRequest[] {
  if (findRequest(requests, hash)) return requests;
  return [...requests, { hash, firstSeenMs: nowMs, ...(series !== undefined && { series }) }].slice(-maxSeenRequests);
}
