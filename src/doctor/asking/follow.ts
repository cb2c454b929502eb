import { redirectOf } from "../../lib/openid/login-request.ts";
import { type Answer, ask } from "./ask.ts";

/** Where a way by redirects ends. */
export interface WayEnd {
  readonly answer: Answer;
  /** What answered. */
  readonly at: string;
  /** Where it redirects to, which was not followed; null for a page. */
  readonly to: URL | null;
}

/** For what has one answer: a proxy has http and a missing slash to mend, and a site its host. */
const redirectsMax = 5;

/**
 * Follows redirects as long as the next may be asked. In words why nothing answers.
 *
 * @param open asks one address
 * @param most redirects
 */
export async function follow(
  url: string,
  mayAsk: (to: URL) => boolean,
  open: (url: string) => Promise<Answer | string> = ask,
  most = redirectsMax,
): Promise<WayEnd | string> {
  let at = url;
  for (let hops = 0; hops <= most; hops++) {
    const answer = await open(at);
    if (typeof answer === "string") return answer;
    const to = redirectOf(answer.status, answer.headers.get("location"), at);
    if (to === null || !mayAsk(to)) return { answer, at, to };
    at = to.href;
  }
  return `more than ${most} redirects`;
}

/** Follows redirects at the host of an address: no other is asked, whoever names it. In words why nothing answers. */
export function followAtHost(url: string, isEnd: (to: URL) => boolean = () => false): Promise<WayEnd | string> {
  const { hostname } = new URL(url);
  return follow(url, (to) => to.hostname === hostname && /^https?:$/.test(to.protocol) && !isEnd(to));
}
