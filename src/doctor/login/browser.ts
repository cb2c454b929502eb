import { type Answer, ask } from "../asking/ask.ts";
import { CookieJar } from "../asking/cookie-jar.ts";
import { redirectOf } from "../asking/redirect.ts";

/** More than a login of Usher and a relying party has. */
const redirectsMax = 15;

export type Browser = ReturnType<typeof createBrowser>;

/** Where a way by redirects ends. */
export interface WayEnd {
  readonly answer: Answer;
  /** What answered. */
  readonly at: string;
  /** Where it redirects to, which was not followed; null for a page. */
  readonly to: URL | null;
}

/**
 * As much of a browser as a login needs: it follows redirects, and keeps cookies for each origin by itself. Nothing is asked of
 * other origins than those that it is for, and none gets the cookies of another.
 *
 * @param given origins
 */
export function createBrowser(given: readonly string[]) {
  const origins = new Set(given);
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
    async follow(url: string, isEnd: (to: URL) => boolean = () => false): Promise<WayEnd | string> {
      let at = url;
      for (let hops = 0; hops < redirectsMax; hops++) {
        const answer = await open(at);
        if (typeof answer === "string") return answer;
        const to = redirectOf(answer.status, answer.headers.get("location"), at);
        if (to === null || !origins.has(to.origin) || isEnd(to)) return { answer, at, to };
        at = to.href;
      }
      return `more than ${redirectsMax} redirects`;
    },

    /** The room's ticket of an issuer, which alone begins so; undefined where none was kept. */
    ticket: (issuer: string): string | undefined => jarOf(issuer).find((_, value) => /^[wc]1\./.test(value)),
  };
}
