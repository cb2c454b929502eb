/**
 * A client of the admin API, typed by its description (docs/openapi.json). Commands ask a gateway by it, and so may any program
 * in Node or a browser. It uses nothing of a gateway's code.
 */
import createClient, { type Client } from "openapi-fetch";
import type { components, paths } from "./admin-api.ts";

export type { paths as AdminPaths };
export type AdminClient = Client<paths>;
/** What the admin API answers, by the names of the description. */
export type AdminAnswers = components["schemas"];

export interface AdminClientOptions {
  /** Where `/admin` is, without a path. */
  readonly url: string;
  /** An admin key. */
  readonly key: string;
  /** How long an answer may take, to its last byte. */
  readonly timeoutMs?: number;
  /** Ends what is under way. */
  readonly stop?: AbortSignal;
}

/**
 * Its methods answer `{ data }`, or `{ error }` with the gateway's refusal, and reject where no gateway answers.
 */
export function createAdminClient({ url, key, timeoutMs = 15_000, stop }: AdminClientOptions): AdminClient {
  return createClient<paths>({
    baseUrl: url,
    headers: { authorization: `Bearer ${key}` },
    // The key is for this gateway alone.
    redirect: "error",
    fetch: (request) => fetchWhole(request, timeoutMs, stop),
  });
}

/**
 * Its timer is its own: some versions of Node.js forget `AbortSignal.timeout` as a part of `AbortSignal.any` when they collect garbage.
 *
 * @throws what `fetch` does, and a `TimeoutError`
 */
async function fetchWhole(request: Request, timeoutMs: number, stop: AbortSignal | undefined): Promise<Response> {
  const ending = new AbortController();
  const end = () => ending.abort(stop?.reason);
  const late = () => ending.abort(new DOMException(`no whole answer within ${timeoutMs} ms`, "TimeoutError"));
  const timer = setTimeout(late, timeoutMs);
  stop?.addEventListener("abort", end);
  if (stop?.aborted) end();
  try {
    const answer = await fetch(request, { signal: ending.signal });
    const body = await answer.arrayBuffer();
    return new Response(body.byteLength === 0 ? null : body, answer);
  } finally {
    clearTimeout(timer);
    stop?.removeEventListener("abort", end);
  }
}
