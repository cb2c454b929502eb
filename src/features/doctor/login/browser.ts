import { CookieJar } from "../../../lib/cookie-jar.ts";
import { type Answer, ask, follow, type WayEnd } from "../ask.ts";

/** More than a login of Usher and a relying party has. */
const redirectsMax = 15;

export type Browser = ReturnType<typeof createBrowser>;

/**
 * As much of a browser as a login needs: it follows redirects, and keeps cookies for each origin by itself. Nothing is asked of
 * other origins than those that it is for, and none gets the cookies of another.
 *
 * @param trusted origins
 */
export function createBrowser(trusted: readonly string[]) {
  const origins = new Set(trusted);
  const jars = new Map<string, CookieJar>();

  /** What answers; in words why nothing does. */
  async function open(url: string, init: RequestInit = {}): Promise<Answer | string> {
    const { origin, hostname } = new URL(url);
    if (!origins.has(origin)) throw new Error(`the doctor asks nothing of ${origin}`);
    const jar = jarOf(origin);
    const cookie = jar.header(hostname);
    const headers = { accept: "text/html", ...(cookie !== "" && { cookie }) };
    const answer = await ask(url, { ...init, headers: { ...headers, ...init.headers } });
    if (typeof answer !== "string") jar.keep(hostname, answer.headers.getSetCookie());
    return answer;
  }

  function jarOf(origin: string): CookieJar {
    const jar = jars.get(origin) ?? new CookieJar();
    jars.set(origin, jar);
    return jar;
  }

  return {
    open,

    /**
     * Follows redirects to a page, or to where it must not go: other origins, and what `isEnd` names. In words why nothing answers.
     */
    follow(url: string, isEnd: (to: URL) => boolean = () => false): Promise<WayEnd | string> {
      return follow(url, (to) => origins.has(to.origin) && !isEnd(to), open, redirectsMax);
    },

    /** The room's ticket of an issuer, which alone begins so; undefined where none was kept. */
    ticket: (issuer: string): string | undefined => jarOf(issuer).find((_, value) => /^[wc]1\./.test(value)),
  };
}
