/** How scripts ask the server. */
import * as pacing from "../../room/public-status/pacing.ts";

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

/**
 * The JSON at an address, of whatever shape: a portal or a proxy may have answered. Each caller looks for what it wants of it.
 *
 * @throws where there is no connection, no answer in time, an error, or no JSON: pages treat them alike
 */
export function readJson<Json>(url: string, init?: RequestInit): Promise<Json> {
  return inTime(async (signal) => {
    const response = await fetch(url, { ...init, signal });
    if (!response.ok) throw response;
    return response.json() as Promise<Json>;
  });
}

/** The server's time at its answer, in whole seconds; NaN where it did not say. */
export const serverMsOf = ({ headers }: Response) => Date.parse(headers.get("date") ?? "");

export const retryAfterMs = (response: Response) =>
  pacing.retryAfterMs(response.headers.get("retry-after"), serverMsOf(response));

export const jitter = (ms: number) => pacing.spread(ms, Math.random);

/** How Usher refuses a change. */
export interface Refusal {
  readonly status: number;
  readonly error: string;
  /** What is to be done first. */
  readonly check?: { readonly challenge?: unknown };
}

/** Null where Usher has made the change. @throws where somebody else answered: a portal, a proxy, a cache */
export async function readRefusal(response: Response): Promise<Refusal | null> {
  const { status } = response;
  if (status === 204) return null;
  const refusal = (await response.json()) as Refusal;
  if (response.ok || typeof refusal.error !== "string") throw refusal;
  return { ...refusal, status };
}

/** How Usher refuses a form of this page's script; null where it does not. @throws where Usher does not answer in time */
export function postForm(url: string, form: Record<string, string>): Promise<Refusal | null> {
  return inTime(async (signal) =>
    readRefusal(await fetch(url, { method: "POST", body: new URLSearchParams(form), signal })),
  );
}

/** The page anew, by the address that it has. */
export const load = () => location.replace(location.href.split("#")[0] ?? "");
