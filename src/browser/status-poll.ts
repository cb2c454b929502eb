/**
 * Asks for a room's public status: one request at a time, given up when no answer comes, and ever more slowly while
 * none does.
 */
import { jitter, type RoomStatus } from "./line-figures.ts";

/** Milliseconds that an answer may take, and for which an answer proves that the server can be reached. */
export const timeoutMs = 10_000;
/** Milliseconds without an answer after which the visitor is informed. */
export const staleMs = 15_000;
const usualBackoffMsMax = 60_000;

export interface StatusPollOptions {
  url: string;
  /** Whether to ask at all when the time has come. */
  isWanted(): boolean;
  /** @param serverMs the server's time at its answer, in whole seconds; NaN where it did not say */
  take(status: RoomStatus, serverMs: number): void;
  /** Milliseconds to the next question after an answer; Infinity for none. */
  nextMs(): number;
  /** The pause after a failure, before it grows. */
  floorMs(): number;
  /** The longest pause after a failure; default: a minute. */
  backoffMsMax?: number;
  /** Called after each question, whatever came of it. */
  settled(): void;
}

export function createStatusPoll({ url, isWanted, take, nextMs, floorMs, settled, ...options }: StatusPollOptions) {
  const { backoffMsMax = usualBackoffMsMax } = options;
  const loadedMs = Date.now();
  let request: AbortController | undefined;
  let failures = 0;
  let lastAnswerMs = 0;
  let lastAskedMs = 0;
  let timer = 0;

  function schedule(ms: number): void {
    clearTimeout(timer);
    if (ms < Infinity) timer = setTimeout(ask, ms);
  }

  async function ask(): Promise<void> {
    if (request || !isWanted()) return;
    const mine = new AbortController();
    request = mine;
    lastAskedMs = Date.now();
    const timeout = setTimeout(() => mine.abort(), timeoutMs);
    let askedForMs = 0;
    try {
      const response = await fetch(url, { credentials: "omit", signal: mine.signal });
      askedForMs = retryAfterMs(response);
      if (!response.ok) throw new Error(String(response.status));
      const status = (await response.json()) as RoomStatus;
      lastAnswerMs = Date.now();
      take(status, Date.parse(response.headers.get("date") ?? ""));
      failures = 0;
      schedule(nextMs());
    } catch {
      // Given up when the page came back to life: it has asked anew since.
      if (request !== mine) return;
      // No connection, no answer in time, an error, or no JSON: the page treats them alike.
      failures++;
      const backoffMs = Math.min(backoffMsMax, floorMs() * 2 ** Math.min(failures, 10));
      schedule(Math.max(askedForMs, jitter(backoffMs)));
    }
    clearTimeout(timeout);
    if (request === mine) request = undefined;
    settled();
  }

  return {
    schedule,
    /** Nothing that the visitor does makes the page ask more than once a second. */
    askSoon(): void {
      schedule(Math.max(0, lastAskedMs + 1_000 - Date.now()));
    },
    abandon(): void {
      request?.abort();
      request = undefined;
    },
    /** The last question had no answer. Another is due in any case. */
    isFailing: () => failures > 0,
    /** It has had no answer for long enough that the visitor should know. */
    isStale: () => failures > 0 && Date.now() - Math.max(loadedMs, lastAnswerMs) > staleMs,
    /** On this device's clock; 0 before the first answer. */
    lastAnswerMs: () => lastAnswerMs,
  };
}

/** For how long a server asks to be left alone: two minutes at most, 0 where it does not say. */
export function retryAfterMs(response: Response): number {
  return 1_000 * Math.min(120, Number(response.headers.get("retry-after")) || 0);
}

/** @param wakeUp called when the connection is back, when the visitor looks or looks away, and when the page comes back */
export function listenForWaking(wakeUp: () => void, statusPoll: ReturnType<typeof createStatusPoll> | undefined): void {
  addEventListener("online", wakeUp);
  document.addEventListener("visibilitychange", wakeUp);
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    // Back from the back/forward cache: whatever was under way has died.
    statusPoll?.abandon();
    wakeUp();
  });
}
