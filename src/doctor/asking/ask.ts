import { createBoundedFetch } from "../../lib/bounded-fetch.ts";
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
