/**
 * Simulated visitors: each opens the demonstration's site as a browser does, waits in line, polls when Usher says so,
 * and logs in. Until all are in, the next place is served twice a second, so that the line is seen moving.
 */
import { setMaxListeners } from "node:events";
import { get } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { Operator } from "./operator.ts";

export interface CrowdOptions {
  size: number;
  /** The protected site. */
  site: string;
  operator: Operator;
  /** How far apart they arrive, and are served; milliseconds. */
  arriveEveryMs?: number;
  admitEveryMs?: number;
  /** The least time between two questions of one visitor, and after a failure. */
  patienceMs?: number;
}

export interface Crowd {
  /** How many have logged in. */
  inside(): number;
  close(): Promise<void>;
}

const ARRIVE_EVERY_MS = 20;
/** Slow enough to be watched. */
const ADMIT_EVERY_MS = 500;
const PATIENCE_MS = 1_000;
const REDIRECTS_MAX = 10;

interface Answer {
  readonly url: URL;
  readonly status: number;
  readonly body: string;
}

export function startCrowd(options: CrowdOptions): Crowd {
  const { size, site, operator, arriveEveryMs = ARRIVE_EVERY_MS, patienceMs = PATIENCE_MS } = options;
  const { admitEveryMs = ADMIT_EVERY_MS } = options;
  const leaving = new AbortController();
  const { signal } = leaving;
  // Each visitor has a request or a delay that ends with the signal.
  setMaxListeners(0, signal);
  let inside = 0;

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

  async function arrive(): Promise<void> {
    const visits: Promise<void>[] = [];
    for (let count = 0; count < size && !signal.aborted; count++) {
      visits.push(visit().catch(ignoreAbort));
      await delay(arriveEveryMs, undefined, { signal }).catch(ignoreAbort);
    }
    await Promise.all(visits);
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

  async function admit(): Promise<void> {
    while (inside < size) {
      await delay(admitEveryMs, undefined, { signal });
      // One that fails is made up for by the next.
      await serveNext(operator).catch(() => undefined);
    }
  }

  const done = clear()
    .then(() => Promise.all([arrive(), admit()]))
    .catch(ignoreAbort);
  return {
    inside: () => inside,
    async close() {
      leaving.abort();
      await done;
    },
  };
}

/** Nobody is served ahead of time. */
async function serveNext(operator: Operator): Promise<void> {
  const { waiting } = await operator.look();
  if (waiting > 0) await operator.admit(1);
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
