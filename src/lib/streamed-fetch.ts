import { follow } from "./deadline.ts";

export interface StreamBounds {
  /** How long nothing may come, in milliseconds. */
  readonly quietMs: number;
  /** Of an answer that is to be kept in memory. */
  readonly bytesMax?: number | undefined;
  /** Ends what is under way. */
  readonly stop?: AbortSignal | undefined;
}

export interface StreamedAnswer {
  readonly status: number;
  readonly ok: boolean;
  /** The body as it comes. Rejects where it breaks off, stalls or is too long. */
  readonly chunks: AsyncGenerator<Uint8Array>;
}

/**
 * An answer of any length, which is read as it comes and must not stall: of the operator's own gateway.
 *
 * @throws what `fetch` does, and a `TimeoutError`
 */
export async function streamedFetch(
  url: URL,
  init: RequestInit,
  { quietMs, bytesMax = Number.POSITIVE_INFINITY, stop }: StreamBounds,
): Promise<StreamedAnswer> {
  const ending = new AbortController();
  const unfollow = follow(stop, ending);
  const end = () => {
    unfollow();
    ending.abort();
  };
  try {
    const { status, ok, body } = await inTime(fetch(url, { ...init, signal: ending.signal }));
    return { status, ok, chunks: chunksOf(body) };
  } catch (error) {
    end();
    throw error;
  }

  async function* chunksOf(body: Response["body"]): AsyncGenerator<Uint8Array> {
    const reader = body?.getReader();
    let length = 0;
    try {
      for (let part = await inTime(reader?.read()); part?.value !== undefined; part = await inTime(reader?.read())) {
        length += part.value.byteLength;
        if (length > bytesMax) throw new Error(`more than ${bytesMax} bytes`);
        yield part.value;
      }
    } finally {
      end();
    }
  }

  async function inTime<T>(work: T): Promise<Awaited<T>> {
    const quiet = new DOMException(`nothing came for ${quietMs} ms`, "TimeoutError");
    const timer = setTimeout(() => ending.abort(quiet), quietMs);
    try {
      return await work;
    } finally {
      clearTimeout(timer);
    }
  }
}
