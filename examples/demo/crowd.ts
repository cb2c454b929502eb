/**
 * Simulated visitors: each opens the demonstration's site as a browser does, waits in line, polls when Usher says so,
 * and logs in. First they come all at once; then newcomers, as long as fewer stand in line than came at first.
 */
import { setMaxListeners } from "node:events";
import { get } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { Operator } from "./operator.ts";

export interface CrowdOptions {
  /** So many come at first, and no more ever stand in line. */
  size: number;
  /** The protected site. */
  site: string;
  operator: Operator;
  /** How far apart the first arrive, and newcomers after them; milliseconds. */
  arriveEveryMs?: number;
  newcomerEveryMs?: number;
  /** The least time between two questions of one visitor, and after a failure. */
  patienceMs?: number;
}

export interface Crowd {
  /** How many have logged in. */
  inside(): number;
  close(): Promise<void>;
}

const ARRIVE_EVERY_MS = 20;
/** Slower than the room lets in, so that its line ends some time. */
const NEWCOMER_EVERY_MS = 3_000;
const PATIENCE_MS = 1_000;
const REDIRECTS_MAX = 10;

interface Answer {
  readonly url: URL;
  readonly status: number;
  readonly body: string;
}

export function startCrowd(options: CrowdOptions): Crowd {
  const { size, site, operator, arriveEveryMs = ARRIVE_EVERY_MS, patienceMs = PATIENCE_MS } = options;
  const { newcomerEveryMs = NEWCOMER_EVERY_MS } = options;
  const leaving = new AbortController();
  const { signal } = leaving;
  // Each visitor has a request or a delay that ends with the signal.
  setMaxListeners(0, signal);
  let inside = 0;
  const standing = new Set<Promise<void>>();

  async function visit(): Promise<void> {
    const cookies = new Map<string, string>();
    let address = new URL(site);
    while (!signal.aborted) {
      const answer = await open(address, cookies, signal).catch(() => undefined);
      if (answer?.status === 200 && answer.url.origin === new URL(site).origin) {
        inside += 1;
        return;
      }
      // The waiting page's own address: to come back to it keeps the place, and to begin anew would keep it as well.
      if (answer !== undefined) address = answer.url;
      await delay(Math.max(patienceMs, askAgainAfterMs(answer)), undefined, { signal });
    }
  }

  function walkIn(): void {
    const visitor = visit()
      .catch(ignoreAbort)
      .finally(() => standing.delete(visitor));
    standing.add(visitor);
  }

  async function arrive(): Promise<void> {
    for (let count = 0; count < size; count++) {
      walkIn();
      await delay(arriveEveryMs, undefined, { signal });
    }
    for (;;) {
      await delay(newcomerEveryMs, undefined, { signal });
      if (standing.size < size) walkIn();
    }
  }

  /** Visitors of an earlier run of the demonstration are gone, and would be ahead of the crowd. */
  async function clear(): Promise<void> {
    for (;;) {
      try {
        const { queued } = await operator.look();
        if (queued > 0) await operator.reset();
        return;
      } catch {
        // The room may still be recovering.
        await delay(patienceMs, undefined, { signal });
      }
    }
  }

  const done = clear().then(arrive).catch(ignoreAbort);
  return {
    inside: () => inside,
    async close() {
      leaving.abort();
      await done;
      await Promise.all(standing);
    },
  };
}

/** Usher's JSON of a waiting page says when to ask again. */
function askAgainAfterMs(answer: Answer | undefined): number {
  try {
    const { poll_after_ms: afterMs } = JSON.parse(answer?.body ?? "") as { poll_after_ms?: unknown };
    return typeof afterMs === "number" ? afterMs : 0;
  } catch {
    return 0;
  }
}

/** Opens an address and follows where it leads; all cookies are of this computer, so one jar is enough. */
async function open(address: URL, cookies: Map<string, string>, signal: AbortSignal): Promise<Answer> {
  let url = address;
  for (let hop = 0; hop < REDIRECTS_MAX; hop++) {
    const { status, location, setCookies, body } = await request(url, cookies, signal);
    for (const [pair = ""] of setCookies.map((line) => line.split(";"))) {
      const [name = "", ...value] = pair.split("=");
      cookies.set(name.trim(), value.join("="));
    }
    if (location === undefined) return { url, status, body };
    url = new URL(location, url);
  }
  throw new Error(`more than ${REDIRECTS_MAX} redirects from ${address}`);
}

interface Response {
  status: number;
  location: string | undefined;
  setCookies: string[];
  body: string;
}

function request(url: URL, cookies: Map<string, string>, signal: AbortSignal): Promise<Response> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const headers = { accept: "application/json", ...(cookie !== "" && { cookie }) };
  return new Promise((resolve, reject) => {
    get(url, { headers, signal }, (response) => {
      let body = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        body += chunk;
      });
      response.once("error", reject);
      response.once("end", () => {
        const { statusCode: status = 0, headers: reported } = response;
        resolve({ status, location: reported.location, setCookies: reported["set-cookie"] ?? [], body });
      });
    }).once("error", reject);
  });
}

function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error) || error.name !== "AbortError") throw error;
}
