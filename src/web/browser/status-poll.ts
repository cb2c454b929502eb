/**
 * Asks for a room's public status: one request at a time, given up when no answer comes, and ever more slowly while
 * none does.
 */
import { staleMs, statusPauseMs } from "../../room/public-status/pacing.ts";
import type { RoomStatus } from "../../room/public-status/status.ts";
import { inTime, retryAfterMs, serverMsOf } from "./requests.ts";

export type StatusPoll = ReturnType<typeof createStatusPoll>;

export function createStatusPoll({
  read,
  isWanted = () => true,
  take,
  nextMs,
  floorMs,
  backoffMsMax,
  settled,
}: {
  /**
   * @param ask gives the JSON at an address
   * @throws unless it is a status: an error page of a proxy may come with any code
   */
  read(ask: (url: string) => Promise<unknown>): Promise<RoomStatus>;
  /** Whether to ask at all when the time has come. Default: it is. */
  isWanted?(): boolean;
  /** @param serverMs the server's time at its answer, in whole seconds; NaN where it did not say */
  take(status: RoomStatus, serverMs: number): void;
  /** Milliseconds to the next question after an answer; Infinity for none. */
  nextMs(): number;
  /** The pause after a failure, before it grows. */
  floorMs(): number;
  /** The longest pause after a failure. */
  backoffMsMax?: number;
  /** Called after each question, whatever came of it. */
  settled(): void;
}) {
  let request: AbortController | undefined;
  let failures = 0;
  let lastAnswerMs = performance.now();
  /** The visitor has looked away since, or the device has slept: whether there is still a connection is not known. */
  let isDoubtful = false;
  let lastRequestMs = -Infinity;
  let timer = 0;

  function schedule(ms: number): void {
    clearTimeout(timer);
    if (ms < Infinity) timer = setTimeout(ask, ms);
  }

  async function ask(): Promise<void> {
    if (request || !isWanted()) return;
    const mine = new AbortController();
    request = mine;
    lastRequestMs = performance.now();
    let requestedMs = 0;
    try {
      await inTime(async (signal) => {
        let serverMs!: number;
        const status = await read(async (url) => {
          const response = await fetch(url, { credentials: "omit", signal });
          requestedMs = retryAfterMs(response);
          serverMs = serverMsOf(response);
          return response.json();
        });
        lastAnswerMs = performance.now();
        isDoubtful = false;
        take(status, serverMs);
      }, mine);
      failures = 0;
      schedule(nextMs());
    } catch {
      // Given up when the page came back to life: it has asked anew since.
      if (request !== mine) return;
      failures++;
      schedule(statusPauseMs(floorMs(), failures, requestedMs, Math.random, backoffMsMax));
    }
    if (request === mine) request = undefined;
    settled();
  }

  /** Nothing that the visitor does makes the page ask more than once a second. */
  function askSoon(): void {
    schedule(Math.max(0, lastRequestMs + 1_000 - performance.now()));
  }

  return {
    schedule,
    askSoon,
    /** The same, but after a failure the next question is due in its own time. */
    askFirst(): void {
      if (failures === 0) askSoon();
    },
    abandon(): void {
      request?.abort();
      request = undefined;
    },
    /** The last question had no answer. Another is due in any case. */
    isFailing: () => failures > 0,
    /** It has had no answer for long enough that the visitor should know. */
    isStale: () => failures > 0 && performance.now() - lastAnswerMs > staleMs,
    /** By `performance.now()`, as all pauses and ages are: a device's clock may be set at any time. The page itself is the first answer. */
    lastAnswerMs: () => lastAnswerMs,
    /** For how long answers have proved that there is a connection: its time stands still while a device sleeps. */
    silentMs: () => (isDoubtful ? Infinity : performance.now() - lastAnswerMs),
    doubt(): void {
      isDoubtful = true;
    },
  };
}

/** @param wakeUp called when the connection is back, when the visitor looks or looks away, and when the page comes back */
export function listenForWaking(wakeUp: () => void, statusPoll?: StatusPoll): void {
  const look = () => {
    statusPoll?.doubt();
    wakeUp();
  };
  addEventListener("online", look);
  document.addEventListener("visibilitychange", look);
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    // Back from the back/forward cache: whatever was under way has died.
    statusPoll?.abandon();
    look();
  });
}
