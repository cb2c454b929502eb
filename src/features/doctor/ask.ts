import { createBoundedFetch } from "../../lib/bounded-fetch.ts";
import { redirectOf } from "../../lib/openid/login-request.ts";
import { reasonOf } from "../../lib/reason.ts";

/** An answer, whatever its status. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** No answer of Usher is longer; of a site's page no more is read. */
const fetchBeginning = createBoundedFetch({ bytesMax: 1_000_000, isCutOff: true });

/** What answers at an address; in words why nothing does. */
export async function ask(url: string, init: RequestInit = {}): Promise<Answer | string> {
  try {
    const answer = await fetchBeginning(url, { redirect: "manual", ...init });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  } catch (error) {
    return reasonOf(error);
  }
}

/** Whether two answers are one, which something has kept: Usher names each request. */
export function isSameAnswer(one: Answer, other: Answer): boolean {
  const id = one.headers.get("x-request-id");
  return id !== null && id === other.headers.get("x-request-id");
}

/** The object that a text is; empty where it is none. */
export function objectOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

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
