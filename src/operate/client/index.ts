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

/**
 * Its methods answer `{ data }`, or `{ error }` with the gateway's refusal, and reject where no gateway answers.
 */
export function createAdminClient({
  url,
  key,
  fetch,
}: {
  /** Where `/admin` is, without a path. */
  readonly url: string;
  /** An admin key. */
  readonly key: string;
  /** Sends a request, and answers when the whole answer is there: bounded in bytes and in time. */
  readonly fetch: (request: Request) => Promise<Response>;
}): AdminClient {
  return createClient<paths>({
    baseUrl: url,
    headers: { authorization: `Bearer ${key}` },
    // The key is for this gateway alone.
    redirect: "error",
    fetch,
  });
}
