import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";

/** What an operator can mend; its message is all that is shown. */
export class CommandError extends Error {
  override name = "CommandError";
}

export interface AdminClient {
  /** @throws CommandError with the gateway's own words when it refuses */
  ask(method: "GET" | "POST", path: string, body?: object): Promise<unknown>;
}

const timeoutMs = 15_000;

/** The gateway that is meant where none is named: `USHER_ADMIN`, as for the curl commands of the docs, or one on this machine. */
export function usualUrl({ USHER_ADMIN, PORT }: Readonly<Record<string, string | undefined>>): string {
  return USHER_ADMIN || `http://localhost:${PORT || "3000"}`;
}

/** @throws CommandError for what is no address */
export function checkedUrl(url: string, example: string): string {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  throw new CommandError(`--url: expected the address of a gateway, such as ${example}`);
}

/** @param url of a gateway, without a path */
export function createAdminClient(url: string, key: string): AdminClient {
  return {
    async ask(method, path, body) {
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      const signal = AbortSignal.timeout(timeoutMs);
      let answer: Response;
      let text: string;
      try {
        const init = { method, headers, signal, redirect: "error" as const };
        answer = await fetch(
          new URL(`/admin${path}`, url),
          body === undefined ? init : { ...init, body: JSON.stringify(body) },
        );
        text = await answer.text();
      } catch (error) {
        throw noGateway(url, error);
      }
      const json = readJson(text);
      if (answer.ok && json !== null) return json;
      throw refused(url, answer.status, json);
    },
  };
}

/**
 * Saves what the gateway answers in a file, as it comes.
 *
 * @throws CommandError with the gateway's own words when it refuses, or when the answer breaks off
 */
export async function download(url: string, key: string, path: string, file: string): Promise<void> {
  let answer: Response;
  try {
    const headers = { authorization: `Bearer ${key}` };
    answer = await fetch(new URL(`/admin${path}`, url), { headers, redirect: "error" });
  } catch (error) {
    throw noGateway(url, error);
  }
  if (!answer.ok || answer.body === null) throw refused(url, answer.status, readJson(await answer.text()));
  try {
    await pipeline(Readable.fromWeb(answer.body as ReadableStream), createWriteStream(file));
  } catch (error) {
    throw new CommandError(`the answer of ${url} broke off (${reasonOf(error)}): try again`);
  }
}

function noGateway(url: string, error: unknown): CommandError {
  return new CommandError(`no gateway answers at ${url} (${reasonOf(error)}): name one that runs with --url`);
}

function refused(url: string, status: number, json: unknown): CommandError {
  const refusal = refusalOf(json);
  if (refusal?.startsWith(nothingThere)) {
    return new CommandError(`there is no admin API at ${url}: name with --url where admin.listen has it`);
  }
  return new CommandError(refusal ?? `${url} answered ${status}, and not as a gateway does: check --url`);
}

/** Of a listener that is for visitors alone. */
const nothingThere = "not_found: there is nothing at this address";

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function refusalOf(json: unknown): string | null {
  if (typeof json !== "object" || json === null || !("error" in json)) return null;
  const description = "error_description" in json ? json.error_description : undefined;
  return `${json.error}: ${description ?? "no reason was given"}`;
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (cause instanceof Error && "code" in cause && typeof cause.code === "string") return cause.code;
  return cause instanceof Error ? cause.message : String(cause);
}
