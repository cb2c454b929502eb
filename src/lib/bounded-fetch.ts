/**
 * How Usher fetches. Every answer is bounded in bytes and in time, whoever sends it. `send.ts` posts to receivers that strangers may
 * name, and `streamed-fetch.ts` reads answers of any length; a test keeps all other files from fetching by themselves.
 */
import { withDeadline } from "./deadline.ts";

export interface FetchBounds {
  /** Of the answer. Default: more than any document, key set or claims of a provider have. */
  readonly bytesMax?: number;
  /** For the whole answer. */
  readonly timeoutMs?: number;
  /** Whether the rest of a longer answer is left out; else it is an error. */
  readonly isCutOff?: boolean;
  /** Default: Node's own. */
  readonly fetch?: typeof fetch;
}

export type BoundedFetch = (url: string | URL | Request, init?: object) => Promise<Response>;

const usualBytesMax = 1_048_576;
const usualTimeoutMs = 10_000;
/** Milliseconds for which a document that could not be fetched is left alone. */
const restMs = 1_000;
const never = new AbortController().signal;

/**
 * `fetch` that answers when the whole answer is there.
 *
 * @throws what `fetch` does, a `TimeoutError`, and an error where the answer is too long
 */
export function createBoundedFetch(bounds: FetchBounds = {}): BoundedFetch {
  const { bytesMax = usualBytesMax, timeoutMs = usualTimeoutMs, isCutOff = false, fetch: ask = fetch } = bounds;
  return (url, init = {}) => {
    const request = init as RequestInit;
    return withDeadline(timeoutMs, request.signal ?? never, async (signal) => {
      const answer = await ask(url, { ...request, signal });
      return answerWith(await readBytes(answer, bytesMax, isCutOff), answer);
    });
  };
}

/**
 * Of documents that are the same for all: key sets. One request at a time for an address, whose answer all get that want it; a document
 * that could not be fetched is left alone for a second, for strangers may make Usher want it.
 *
 * @throws as `createBoundedFetch`, and where the status is not 200
 */
export function createDocumentFetch(bounds: FetchBounds = {}, nowMs = () => performance.now()): BoundedFetch {
  const get = createBoundedFetch(bounds);
  const requests = new Map<string, { document: Promise<Document>; restsUntilMs: number }>();

  async function fetchDocument(url: string, init: RequestInit): Promise<Document> {
    const answer = await get(url, init);
    if (answer.status !== 200) throw new Error(`answered ${answer.status}`);
    return { answer, bytes: new Uint8Array(await answer.arrayBuffer()) };
  }

  return async (url, init = {}) => {
    const address = String(url);
    const current = requests.get(address);
    const isCurrent = current !== undefined && nowMs() < current.restsUntilMs;
    // The first caller may abort before the others do.
    const { signal: _, ...request } = init as RequestInit;
    const shared = isCurrent
      ? current
      : { document: fetchDocument(address, request), restsUntilMs: Number.POSITIVE_INFINITY };
    if (!isCurrent) {
      requests.set(address, shared);
      shared.document.then(
        () => requests.delete(address),
        () => {
          shared.restsUntilMs = nowMs() + restMs;
        },
      );
    }
    const { answer, bytes } = await shared.document;
    return answerWith(bytes, answer);
  };
}

interface Document {
  readonly answer: Response;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * Sends a request of which the status alone matters: the answer's body is thrown away unread. A redirect is not followed: it is no
 * answer, and may lead anywhere.
 *
 * @throws what `fetch` does, and a `TimeoutError`
 */
export function statusOf(
  url: string,
  request: RequestInit,
  timeoutMs: number,
  stopping: AbortSignal,
  ask: typeof fetch = fetch,
): Promise<Response> {
  return withDeadline(timeoutMs, stopping, async (signal) => {
    const response = await ask(url, { ...request, redirect: "manual", signal });
    await response.body?.cancel();
    return response;
  });
}

/** The body, up to a number of bytes. Leaving the loop ends the connection. */
async function readBytes(
  { body, headers }: Response,
  bytesMax: number,
  isCutOff: boolean,
): Promise<Uint8Array<ArrayBuffer>> {
  const tooLong = () => new Error(`an answer of more than ${bytesMax} bytes`);
  if (!isCutOff && Number(headers.get("content-length")) > bytesMax) {
    await body?.cancel();
    throw tooLong();
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.byteLength;
    if (length > bytesMax && !isCutOff) throw tooLong();
    chunks.push(chunk);
    if (length > bytesMax) break;
  }
  return Buffer.concat(chunks).subarray(0, bytesMax);
}

function answerWith(bytes: Uint8Array<ArrayBuffer>, { status, statusText, headers }: Response): Response {
  return new Response(bytes.byteLength === 0 ? null : bytes, { status, statusText, headers });
}
