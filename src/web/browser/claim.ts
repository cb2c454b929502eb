/** The claim of a held page, which stays loaded. */
import { doorPauseMs, failedClaimPauseMs, isLaterStatus } from "../../room/public-status/pacing.ts";
import { inTime, retryAfterMs } from "./requests.ts";

/** POST /rooms/{room}/tickets/me/claim, as far as the page reads it. */
interface ClaimReply {
  state: string;
  held_by: string | null;
  ahead: number;
  poll_after_ms: number;
  /** Of a refusal. */
  error?: string;
}

/**
 * What came of it:
 *
 * - `admitted`: the visitor is let in, and has only to come.
 * - `held`: not yet; `by` names the limit, `ahead` the number of visitors who enter first. Claim again after `againMs`.
 * - `failed`: no usable answer. Claim again after `againMs`.
 * - `other`: the server has another page for this visitor.
 */
export type ClaimAnswer =
  | { result: "admitted" }
  | { result: "held"; by: string; ahead: number; againMs: number }
  | { result: "failed"; againMs: number }
  | { result: "other" };

export function createClaim(url: string): () => Promise<ClaimAnswer> {
  let failures = 0;

  function fail(requestedMs = 0): ClaimAnswer {
    failures++;
    return { result: "failed", againMs: failedClaimPauseMs(failures, requestedMs) };
  }

  async function claim(signal: AbortSignal): Promise<ClaimAnswer> {
    const response = await fetch(url, { method: "POST", signal });
    if (isLaterStatus(response.status)) return fail(retryAfterMs(response));
    const { state, held_by: by, ahead, poll_after_ms: pollMs, error } = (await response.json()) as ClaimReply;
    // Only an error in Usher's own form is a decision. Any other answer comes from a proxy in between, and is retried.
    if (!response.ok) return typeof error === "string" ? { result: "other" } : fail();
    const isDeferred = typeof by === "string" && [ahead, pollMs].every(Number.isFinite);
    if (typeof state !== "string" || !(isDeferred || by === null)) return fail();
    failures = 0;
    if (by !== null) return { result: "held", by, ahead, againMs: doorPauseMs(pollMs) };
    return { result: state === "admitted" ? "admitted" : "other" };
  }

  // No connection, or an answer of a proxy that is not JSON: keep showing this page and retry.
  return () => inTime(claim).catch(() => fail());
}
