/** How scripts ask the server. */

/** Milliseconds that an answer may take, and for which an answer proves that the server can be reached. */
export const timeoutMs = 10_000;

/** Gives a request up when no answer comes in time. */
export async function inTime<Answer>(
  ask: (signal: AbortSignal) => Promise<Answer>,
  giveUp = new AbortController(),
): Promise<Answer> {
  const timeout = setTimeout(() => giveUp.abort(), timeoutMs);
  try {
    return await ask(giveUp.signal);
  } finally {
    clearTimeout(timeout);
  }
}

/** The JSON at an address. @throws where there is no connection, no answer in time, an error, or no JSON: pages treat them alike */
export function readJson<Json>(url: string, init?: RequestInit): Promise<Json> {
  return inTime(async (signal) => {
    const response = await fetch(url, { ...init, signal });
    if (!response.ok) throw new Error(String(response.status));
    return (await response.json()) as Json;
  });
}

/** For how long a server asks to be left alone: two minutes at most, 0 where it does not say. */
export function retryAfterMs(response: Response): number {
  return 1_000 * Math.min(120, Number(response.headers.get("retry-after")) || 0);
}

/** ± 30 %, so that pages with the same time do not come at the same instant. */
export function jitter(ms: number): number {
  return ms * (0.7 + 0.6 * Math.random());
}
