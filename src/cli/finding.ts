import { CommandError, counted, jsonText, printable, reasonOf, type Terminal } from "./terminal.ts";

/** What was looked at, what was found, and of a fault or warning the way out. */
export interface Finding {
  readonly about: string;
  readonly status: "ok" | "warning" | "fault";
  readonly text: string;
}

export interface StoreFindings {
  readonly faults: readonly string[];
  readonly warnings: readonly string[];
}

/** Asks a Redis what it must be: see store/redis, which is the gateway's. */
export type InspectRedis = (url: string) => Promise<StoreFindings>;

export const ok = (about: string, text: string): Finding => ({ about, status: "ok", text });
export const warning = (about: string, text: string): Finding => ({ about, status: "warning", text });
export const fault = (about: string, text: string): Finding => ({ about, status: "fault", text });

const words = { ok: "ok", warning: "WARNING", fault: "FAULT" } as const;

/** A finding as a line of a table. @param aboutWidth characters of what it is about */
export function findingLine({ about, status, text }: Finding, aboutWidth: number): string {
  return printable(`${words[status].padEnd(9)}${about.padEnd(aboutWidth)}${text}`);
}

/** Prints the findings. @throws CommandError where there is a fault */
export function report(findings: readonly Finding[], json: boolean, print: Terminal["print"]): void {
  print(json ? jsonText(findings) : findings.map((each) => findingLine(each, 16)).join("\n"));
  const faults = findings.filter(({ status }) => status === "fault").length;
  if (faults > 0) throw new CommandError(`${counted(faults, "fault")}: visitors would meet it in the sale.`);
}

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
