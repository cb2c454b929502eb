import { reasonOf } from "../../lib/reason.ts";

/** An answer, whatever its status. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const timeoutMs = 10_000;
const lengthMax = 1_000_000;

/** What answers at an address; in words why nothing does. */
export async function ask(url: string, init: RequestInit = {}): Promise<Answer | string> {
  try {
    const answer = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(timeoutMs), ...init });
    return { status: answer.status, headers: answer.headers, text: await boundedText(answer) };
  } catch (error) {
    return reasonOf(error);
  }
}

/** Whether two answers are one, which something has kept: Usher names each request. */
export function isSameAnswer(one: Answer, other: Answer): boolean {
  const id = one.headers.get("x-request-id");
  return id !== null && id === other.headers.get("x-request-id");
}

/** The text of an answer, up to a length that no answer of Usher has. */
async function boundedText({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (text.length > lengthMax) break;
  }
  return text;
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
