/** `usher.fetch()`: a 401 of forward authentication, or of `usher/verify`, becomes a visit to the room. */
import type { VisitOptions } from "./room.ts";
import { comeBack, leavingMs, visit } from "./visit.ts";

export interface FetchOptions extends VisitOptions {
  /** Whose answers count beside the page's own origin. They must let the page read `WWW-Authenticate`. */
  origins?: readonly string[];
}

/** Every other answer, and every fault, is passed on as it is. @returns what takes it back */
export function wrapFetch(options: FetchOptions): () => void {
  const plain = window.fetch;
  const listed = [location.origin, ...(options.origins ?? [])];
  comeBack();

  const wrapped: typeof fetch = async (...asked) => {
    const response = await plain.apply(window, asked);
    const { status, url, headers } = response;
    const isRefused = status === 401 && headers.get("WWW-Authenticate")?.includes(`Bearer realm="${options.room}"`);
    // Of a worker's own answer there is no address.
    if (isRefused && url && listed.includes(new URL(url).origin) && visit(options)) {
      await new Promise((go) => setTimeout(go, leavingMs));
    }
    return response;
  };
  window.fetch = wrapped;
  return () => {
    if (window.fetch === wrapped) window.fetch = plain;
  };
}
