/** How scripts ask the server. */
import * as pacing from "../pages/shared/pacing.ts";

/** Gives a request up when no answer comes in time. */
export async function inTime<Answer>(
  ask: (signal: AbortSignal) => Promise<Answer>,
  giveUp = new AbortController(),
): Promise<Answer> {
  const timeout = setTimeout(() => giveUp.abort(), pacing.timeoutMs);
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

export const retryAfterMs = (response: Response) => pacing.retryAfterMs(response.headers.get("retry-after"));

export const jitter = (ms: number) => pacing.spread(ms, Math.random);

/** The answer to a form of this page's script. @throws where there is no connection, or no answer in time */
export function postForm(url: string, form: Record<string, string>): Promise<Response> {
  return inTime((signal) => fetch(url, { method: "POST", body: new URLSearchParams(form), signal }));
}

/** The page anew, by the address that it has. */
export const load = () => location.replace(location.href.split("#")[0] ?? "");
