/** The admin API, asked as a script would, with the session of this browser. */
import createClient from "openapi-fetch";
import type { AdminAnswers, AdminClient, AdminPaths } from "../../client/index.ts";
import { isOurs } from "./reading.ts";

export type Principal = NonNullable<AdminAnswers["BrowserSession"]["principal"]>;
export type Role = Principal["role"];

/** What went wrong, as the gateway says it; `text` is null where it said nothing. */
export interface Problem {
  /** 0 where nobody received. */
  readonly status: number;
  readonly text: string | null;
  readonly answer: AdminAnswers["Error"] | null;
  /** Somebody else received, such as a portal or a proxy. */
  readonly isForeign?: boolean;
}

/** Whether another try may do better, without anybody doing anything. */
export function isPassing({ status, isForeign = false }: Problem): boolean {
  return isForeign || status === 0 || status >= 500;
}

/** An answer that is not the gateway's: it is no news. */
export function foreign({ status }: Response): ProblemError {
  return new ProblemError({ status, text: null, answer: null, isForeign: true });
}

/** Thrown for every answer but the one that was hoped for. */
export class ProblemError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.text ?? `status ${problem.status}`);
    this.problem = problem;
  }
}

export interface Api {
  readonly ask: AdminClient;
  /** The principal that is signed in with this browser; null for none. @throws ProblemError */
  readSession(): Promise<Principal | null>;
  /** Ends the session, and answers where that of the provider ends. @throws ProblemError */
  signOut(): Promise<string | null>;
}

/** @param onSignedOut told whenever the gateway knows the browser no more */
export function createApi(origin: string, onSignedOut: () => void): Api {
  let csrfToken = "";

  const ask = createClient<AdminPaths>({ baseUrl: origin });
  ask.use({
    onRequest({ request }) {
      if (request.method !== "GET") request.headers.set("X-CSRF-Token", csrfToken);
    },
    async onResponse({ request, response, schemaPath }) {
      if (!(await isOurs(`${request.method} ${schemaPath}`, response))) throw foreign(response);
      if (response.status === 401) onSignedOut();
    },
  });

  return {
    ask,
    async readSession() {
      const session = await take(ask.GET("/admin/session"));
      csrfToken = session.csrf_token ?? "";
      return session.principal;
    },
    async signOut() {
      const headers = { Accept: "application/json" };
      const answer = await take(ask.POST("/admin/sign-out", { headers }));
      return answer.end_session_url;
    },
  };
}

/** The data of an answer. @throws ProblemError */
export async function take<Data>(
  sent: Promise<{ data?: Data; error?: unknown; response: Response }>,
): Promise<NonNullable<Data>> {
  const received = await sent.catch((error: unknown) => {
    if (error instanceof ProblemError) throw error;
    return null;
  });
  if (received === null) throw new ProblemError({ status: 0, text: null, answer: null });
  const { data, error, response } = received;
  if (response.ok && data !== undefined) return data as NonNullable<Data>;
  const answer = isError(error) ? error : null;
  throw new ProblemError({ status: response.status, text: answer?.error_description ?? null, answer });
}

/** The same of what answers without content (204). @throws ProblemError */
export async function takeNothing(sent: Promise<{ error?: unknown; response: Response }>): Promise<void> {
  await take(sent.then(({ error, response }) => ({ error, response, data: response.ok })));
}

function isError(value: unknown): value is AdminAnswers["Error"] {
  return typeof value === "object" && value !== null && "error_description" in value;
}

/** A request whose method and path are data. */
export interface AdminRequest {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: keyof AdminPaths;
  /** The parameters of the path. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

/**
 * Sends a request that is data. Its answer is compared with the description like every other; that the description is of `Answer` is up
 * to the caller.
 *
 * @throws ProblemError
 */
export function send<Answer>({ ask }: Api, { method, path, params, query, body }: AdminRequest): Promise<Answer> {
  type Sent = Promise<{ data?: Answer; error?: unknown; response: Response }>;
  const request = ask.request as unknown as (method: string, path: string, init: object) => Sent;
  const sent = request(method, path, { params: { path: params, query }, ...(body !== undefined && { body }) });
  // An answer without content is an empty one.
  return take(sent.then((received) => ({ ...received, data: received.data ?? ({} as Answer) }))) as Promise<Answer>;
}

/** Where a browser signs in, to come back to where it is. */
export function signInAddress({ pathname, search }: { readonly pathname: string; readonly search: string }): string {
  return `/admin/sign-in?return_to=${encodeURIComponent(pathname + search)}`;
}
