/** `usher.fetch()`: a 401 of forward authentication, or of `usher/verify`, becomes a visit to the room. */
import { after, here, page } from "./browser.ts";
import { leavingMs } from "./limits.ts";
import { resolve, type VisitOptions } from "./room.ts";
import { comeBack, visit } from "./visit.ts";

export interface FetchOptions extends VisitOptions {
  /** Whose answers count beside the page's own origin. They must let the page read `WWW-Authenticate`. */
  origins?: readonly string[];
}

/** Every other answer, and every fault, is passed on as it is. @returns what takes it back */
export const wrapFetch = (options: FetchOptions): (() => void) => {
  const plain = page.fetch;
  comeBack();

  const wrapped: typeof fetch = async (...request) => {
    const response = await plain(...request);
    if (
      response.status === 401 &&
      response.headers.get("WWW-Authenticate")?.includes(`Bearer realm="${options.room}"`) &&
      [here.origin, ...(options.origins ?? [])].includes(resolve(response.url).origin) &&
      visit(options)
    ) {
      await new Promise((go) => after(go, leavingMs));
    }
    return response;
  };
  page.fetch = wrapped;
  return () => {
    if (page.fetch === wrapped) page.fetch = plain;
  };
};
