import { setMaxListeners } from "node:events";

/**
 * Runs `work` with a signal that ends when `ending` does, for its reason, and after `ms` with a `TimeoutError`. The timer is this
 * function's own: some versions of Node.js forget `AbortSignal.timeout` as a part of `AbortSignal.any` when they collect garbage.
 */
export async function withDeadline<T>(
  ms: number,
  ending: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new DOMException(`took longer than ${ms} ms`, "TimeoutError")), ms);
  const stop = follow(ending, controller);
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    stop();
  }
}

/** Ends the one when the other ends, until the answer is called. */
export function follow(signal: AbortSignal | undefined, controller: AbortController): () => void {
  // Many may follow one, each for a while: that is no leak.
  if (signal !== undefined) setMaxListeners(0, signal);
  const end = () => controller.abort(signal?.reason);
  if (signal?.aborted) end();
  signal?.addEventListener("abort", end);
  return () => signal?.removeEventListener("abort", end);
}
