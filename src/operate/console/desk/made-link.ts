import { take } from "../api/api.ts";

/** A link that works for some time. */
export interface TimedLink {
  readonly url: string;
  /** By `performance.now()`. */
  readonly endsMs: number;
}

type Answering = Promise<{
  data?: { readonly url: string; readonly expires_at: string };
  error?: unknown;
  response: Response;
}>;

/** @throws ProblemError */
export async function linkOf(sent: Answering): Promise<TimedLink> {
  const { url, expires_at: expiresAt } = await take(sent);
  const { response } = await sent;
  return { url, endsMs: performance.now() + leftMsOf(expiresAt, response.headers.get("Date"), Date.now()) };
}

/**
 * For how long a link works.
 *
 * @param date the gateway's time (an HTTP `Date`) @param nowMs this computer's, for an answer without
 */
export function leftMsOf(expiresAt: string, date: string | null, nowMs: number): number {
  const theirMs = Date.parse(date ?? "");
  return Date.parse(expiresAt) - (Number.isNaN(theirMs) ? nowMs : theirMs);
}

/** `2:05`, rounded down to whole seconds. */
export function leftInWords(leftMs: number): string {
  const sec = Math.floor(leftMs / 1_000);
  return `${Math.floor(sec / 60)}:${String(sec % 60).padStart(2, "0")}`;
}
