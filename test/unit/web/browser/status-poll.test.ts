/** How a page asks for the public status, with a made-up browser and server around it. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readStatus } from "../../../../src/room/public-status/status.ts";
import { goodStatus } from "../../../support/good-status.ts";

interface StatusPoll {
  schedule(ms: number): void;
  askSoon(): void;
}

/** A module that is written for browsers, whose types are not those of tests. */
const { createStatusPoll, listenForWaking } = (await import(
  new URL("../../../../src/web/browser/status-poll.ts", import.meta.url).href
)) as {
  createStatusPoll(options: object): StatusPoll;
  listenForWaking(wakeUp: () => void, poll: StatusPoll): void;
};

const startMs = Date.UTC(2030, 0, 1);
const usualMs = 2_000;
const ok = () => Response.json(goodStatus);
/** Until the page gives it up, or for ever. */
const silence = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

let answer: (signal: AbortSignal) => Response | Promise<Response>;
/** When it asked, in milliseconds from the start. */
let asked: number[];
let page: EventTarget;

beforeEach(() => {
  vi.useFakeTimers({ now: startMs });
  asked = [];
  page = new EventTarget();
  vi.stubGlobal("document", new EventTarget());
  vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
  vi.stubGlobal("fetch", async (_: string, { signal }: { signal: AbortSignal }) => {
    asked.push(Date.now() - startMs);
    return answer(signal);
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Asks at the start, and then every two seconds. */
function open(): StatusPoll {
  const poll = createStatusPoll({
    read: async (ask: (url: string) => Promise<unknown>) => readStatus(await ask("/status")),
    isWanted: () => true,
    take: () => {},
    nextMs: () => usualMs,
    floorMs: () => usualMs,
    settled: () => {},
  });
  poll.schedule(0);
  return poll;
}

test.each([
  [20, 20_000],
  [86_400, 120_000],
])("a server that asks to be left alone for %i s is, for two minutes at most", async (retryAfterSec, pauseMs) => {
  answer = () => new Response(null, { status: 429, headers: { "retry-after": String(retryAfterSec) } });
  open();
  await vi.advanceTimersByTimeAsync(pauseMs + 1);
  expect(asked).toEqual([0, pauseMs]);
});

test("one that fails is asked ever more slowly, once a minute at last, and not by all at the same instant", async () => {
  answer = () => new Response(null, { status: 502 });
  open();
  await vi.advanceTimersByTimeAsync(600_000);
  const pauses = asked.slice(1).map((ms, index) => ms - (asked[index] ?? 0));
  for (const [index, pauseMs] of pauses.entries()) {
    const meanMs = Math.min(60_000, 4_000 * 2 ** index);
    expect(pauseMs).toBeGreaterThanOrEqual(0.7 * meanMs);
    expect(pauseMs).toBeLessThanOrEqual(1.3 * meanMs + 1);
  }
  expect(new Set(pauses.slice(4)).size).toBeGreaterThan(1);
});

test("a question that was under way when the page was put aside keeps it from asking for no longer", async () => {
  answer = silence;
  const poll = open();
  listenForWaking(() => poll.askSoon(), poll);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(asked).toEqual([0]);
  answer = ok;
  page.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true }));
  await vi.advanceTimersByTimeAsync(100);
  expect(asked).toEqual([0, 5_000]);
  // What was given up says nothing of the server: the usual pace goes on.
  await vi.advanceTimersByTimeAsync(usualMs);
  expect(asked).toEqual([0, 5_000, 5_000 + usualMs]);
});

test("looking again and again asks once a second, and never twice at a time", async () => {
  answer = ok;
  const poll = open();
  await vi.advanceTimersByTimeAsync(500);
  for (let look = 0; look < 10; look++) poll.askSoon();
  await vi.advanceTimersByTimeAsync(500);
  expect(asked).toEqual([0, 1_000]);
  answer = silence;
  await vi.advanceTimersByTimeAsync(usualMs);
  for (let look = 0; look < 10; look++) {
    await vi.advanceTimersByTimeAsync(900);
    poll.askSoon();
  }
  expect(asked).toEqual([0, 1_000, 3_000]);
});
