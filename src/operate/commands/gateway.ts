import { open, rm, stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createBoundedFetch } from "../../lib/bounded-fetch.ts";
import { draftOf } from "../../lib/draft-file.ts";
import { reasonOf } from "../../lib/reason.ts";
import { type StreamedAnswer, streamedFetch } from "../../lib/streamed-fetch.ts";
import { environmentValue, strayAround } from "../../lib/value-shape.ts";
import { type AdminClient, createAdminClient } from "../client/index.ts";
import { CommandError, type Terminal, UsageError } from "./terminal.ts";

/** The gateway that is meant where none is named: `USHER_ADMIN`, as for the curl commands of the docs, or one on this machine. */
export function usualUrl({ USHER_ADMIN, PORT }: Terminal["env"]): string {
  return USHER_ADMIN || `http://localhost:${PORT || "3000"}`;
}

/** A gateway, by its address without a path, and an admin key of it. */
export interface Gateway {
  readonly url: string;
  readonly key: string;
  /** Where the key was found, such as a variable: what is said where it is refused. */
  readonly keyFrom?: string;
  /** Ends what is under way. */
  readonly stop?: AbortSignal;
}

/**
 * @param right what the key has to have
 * @throws CommandError where there is no key, or no address
 */
export function gatewayAt(url: string, env: Terminal["env"], right: string): Gateway {
  const key = environmentKey(env, "USHER_ADMIN_API_KEY");
  if (key === "") throw new CommandError(`set USHER_ADMIN_API_KEY to an admin key of the gateway that ${right}`);
  if (isGatewayUrl(url)) return { url, key, keyFrom: "USHER_ADMIN_API_KEY" };
  throw new UsageError(`--url: expected the address of a gateway, such as ${usualUrl(env)}`);
}

/**
 * An admin key in a variable; empty where it is not set.
 *
 * @throws CommandError where something is around it that no key has
 */
export function environmentKey(env: Terminal["env"], name: string): string {
  const key = environmentValue(env, name);
  const stray = strayAround(key);
  if (stray !== null) throw new CommandError(`${name}: the value ${stray}`);
  return key;
}

export function isGatewayUrl(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

export interface Answered<Answer> {
  readonly data?: Answer;
  readonly error?: unknown;
  readonly response: Response;
}

/** A page of a list is the longest. */
const fetchAnswer = createBoundedFetch({ bytesMax: 16_777_216, timeoutMs: 15_000 });
/** Of the words of a refusal. */
const refusalBytesMax = 65_536;

/** Undefined for an answer without content. @throws CommandError with the gateway's own words when it refuses */
export async function askGateway<Answer>(
  gateway: Gateway,
  call: (client: AdminClient) => Promise<Answered<Answer>>,
): Promise<Answer> {
  const { data, error, response } = await call(clientOf(gateway)).catch((fault) => noAnswer(gateway, fault));
  if (response.ok) return data as Answer;
  throw refused(gateway, response.status, error);
}

function clientOf({ url, key, stop }: Gateway): AdminClient {
  const init = stop === undefined ? {} : { signal: stop };
  return createAdminClient({ url, key, fetch: (request) => fetchAnswer(request, init) });
}

/** All pages of a list. @throws CommandError */
export async function allPages<Page extends { readonly next_cursor: string | null }>(
  gateway: Gateway,
  call: (client: AdminClient, cursor: { cursor?: string }) => Promise<Answered<Page>>,
): Promise<Page[]> {
  const pages: Page[] = [];
  let next: string | null | undefined;
  while (next !== null) {
    const cursor = next === undefined ? {} : { cursor: next };
    const page: Page = await askGateway(gateway, (client) => call(client, cursor));
    pages.push(page);
    next = page.next_cursor;
  }
  return pages;
}

/** Where no gateway answers, or what is no gateway. */
function noAnswer(gateway: Gateway, fault: unknown): never {
  if (fault instanceof SyntaxError) throw refused(gateway, 200, null);
  return noGateway(gateway, fault);
}

/** A gateway has refused, in its own words. */
export class Refusal extends CommandError {
  /** Of HTTP. */
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

export interface StreamOptions {
  /** How long nothing may come, in milliseconds. */
  readonly quietMs?: number;
  /** Of an answer that is kept in memory. */
  readonly bytesMax?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * What the gateway answers, as it comes.
 *
 * @throws CommandError with the gateway's own words when it refuses; while it is read, when the answer breaks off or stalls
 */
export async function openStream(
  gateway: Gateway,
  path: string,
  { quietMs = 15_000, bytesMax, headers = {} }: StreamOptions = {},
): Promise<AsyncGenerator<Uint8Array>> {
  const { url, key, stop } = gateway;
  const init: RequestInit = {
    headers: { ...headers, authorization: `Bearer ${key}` },
    // The key is for this gateway alone.
    redirect: "error",
  };
  try {
    const answer = await streamedFetch(new URL(`/admin${path}`, url), init, { quietMs, bytesMax, stop });
    if (!answer.ok) throw refused(gateway, answer.status, readJson(await beginningOf(answer)));
    return chunksOf(answer);
  } catch (error) {
    throw error instanceof CommandError ? error : noGateway(gateway, error);
  }

  async function* chunksOf({ chunks }: StreamedAnswer): AsyncGenerator<Uint8Array> {
    try {
      yield* chunks;
    } catch (error) {
      throw new CommandError(`the answer of ${url} broke off (${reasonOf(error)}): try again`);
    }
  }
}

async function beginningOf({ chunks }: StreamedAnswer): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of chunks) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > refusalBytesMax) break;
  }
  return text;
}

/**
 * Saves what the gateway answers in a file, as it comes. No part of an answer that broke off is left.
 *
 * @param isReplacing whether a file that is there is written over
 * @throws CommandError with the gateway's own words when it refuses, when the answer breaks off, or when nothing can be written
 */
export async function download(
  gateway: Gateway,
  path: string,
  file: string,
  { isReplacing, ...options }: StreamOptions & { readonly isReplacing: boolean },
): Promise<void> {
  const chunks = await openStream(gateway, path, options);
  // What is replaced stays until the other is whole.
  const isDirect = !isReplacing || (await stat(file).catch(() => null))?.isFile() === false;
  const draft = isDirect ? null : draftOf(file);
  const written = draft?.path ?? file;
  try {
    const opened = await open(written, isReplacing && isDirect ? "w" : "wx", 0o600).catch((error) => {
      const reason = reasonOf(error);
      if (reason === "EEXIST") throw new CommandError(`${file} is there already: --replace writes over it`);
      throw new CommandError(`${file} cannot be written (${reason})`);
    });
    const isFile = (await opened.stat()).isFile();
    try {
      await pipeline(chunks, opened.createWriteStream());
      draft?.put(true);
    } catch (error) {
      if (isFile) await rm(written, { force: true });
      throw error instanceof CommandError ? error : new CommandError(`${file} cannot be written (${reasonOf(error)})`);
    }
  } finally {
    await chunks.return(undefined);
  }
}

function noGateway({ url }: Gateway, error: unknown): never {
  throw new CommandError(
    `no gateway answers at ${url} (${reasonOf(error)}): name one that runs with --url or --context`,
  );
}

function refused({ url, keyFrom }: Gateway, status: number, json: unknown): CommandError {
  const refusal = refusalOf(json);
  if (refusal?.startsWith(nothingThere)) {
    return new CommandError(`there is no admin API at ${url}: name with --url where admin.listen has it`);
  }
  if (refusal !== null)
    return new Refusal(keyFrom === undefined ? refusal : ofKey(refusal, status, url, keyFrom), status);
  return new CommandError(`${url} answered ${status}, and not as a gateway does: check --url`);
}

/** A gateway does not know where its caller found the key. */
function ofKey(refusal: string, status: number, url: string, keyFrom: string): string {
  if (status === 403) return `${refusal}\nThe key is the one in ${keyFrom}.`;
  if (status !== 401) return refusal;
  const wayOut = "Put an admin key of that gateway there, or name another gateway with --url or --context.";
  return `unauthorized: the key in ${keyFrom} isn't valid at ${url}. ${wayOut}`;
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
