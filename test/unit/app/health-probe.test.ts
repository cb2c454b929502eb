import { EventEmitter, once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createHealthProbes, isHealthy } from "../../../src/app/probes.ts";
import { StoreUnavailableError } from "../../../src/lib/errors.ts";
import type { Rounds } from "../../../src/lib/rounds.ts";
import { RoomRecoveringError } from "../../../src/room/replica/recovery-client.ts";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A real site on a port of its own. */
async function startSite(answer: Answer) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/health?deep=1`,
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

const closings: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0)) await close();
});

async function site(answer: Answer) {
  const started = await startSite(answer);
  closings.push(started.close);
  return started;
}

describe("a site", () => {
  const ask = (url: string, timeoutMs = 2_000) =>
    isHealthy({ url, timeoutMs }, new AbortController().signal, "usher-health");

  test.each([
    [200, true],
    [204, true],
    [299, true],
    [301, false],
    [304, false],
    [400, false],
    [404, false],
    [500, false],
    [503, false],
  ])("that answers %d is healthy: %s", async (status, expected) => {
    const { url, requests } = await site((_, response) => response.writeHead(status, { location: "/" }).end());
    expect(await ask(url)).toBe(expected);
    expect(requests.map((request) => [request.method, request.url])).toEqual([["GET", "/health?deep=1"]]);
  });

  test("that redirects to a page that is well is not: nobody is followed", async () => {
    const { url, requests } = await site((request, response) => {
      if (request.url === "/fine") response.end("fine");
      else response.writeHead(302, { location: "/fine" }).end();
    });
    expect(await ask(url)).toBe(false);
    expect(requests).toHaveLength(1);
  });

  test("that does not answer in time is not healthy", async () => {
    const { url } = await site(() => {});
    expect(await ask(url, 100)).toBe(false);
  });

  test("that refuses or cuts the connection is not healthy", async () => {
    const cutting = await startSite((request) => request.socket.destroy());
    expect(await ask(cutting.url)).toBe(false);
    await cutting.close();
    expect(await ask(cutting.url)).toBe(false);
  });

  test("that begins an endless answer well is healthy, and the answer is not waited for", async () => {
    const { url } = await site((_, response) => response.writeHead(200).write("x".repeat(100_000)));
    expect(await ask(url, 1_000)).toBe(true);
  });

  test("is left alone by a process that stops", async () => {
    const { url, requests } = await site(() => {});
    const stopping = new AbortController();
    const asked = isHealthy({ url, timeoutMs: 60_000 }, stopping.signal, "usher-health");
    await expect.poll(() => requests).toHaveLength(1);
    stopping.abort();
    expect(await asked).toBe(false);
  });
});

const startMs = Date.UTC(2027, 2, 1);

function gateOf(healthUrl: string, intervalMs: number) {
  return { healthUrl, intervalMs, timeoutMs: 500, unhealthyAfter: 3, healthyAfter: 2 };
}

/** What a store would tell of a room, to as many processes as there are. */
function fakeStore(gate: ReturnType<typeof gateOf> | null, clock: { now(): number }) {
  const reports: (number | null)[] = [];
  let healthReportedMs = 0;
  const room = (report = async () => {}) => ({
    id: "tickets",
    get state() {
      const settings = { effective: { inlet: { gate } } };
      return { settings, flowMs: clock.now() - startMs + 1e9, healthReportedMs } as never;
    },
    get refreshedMs() {
      return clock.now();
    },
    operations: {
      async reportHealth(latencyMs: number | null) {
        await report();
        reports.push(latencyMs);
        healthReportedMs = clock.now() - startMs + 1e9;
      },
    },
  });
  return { reports, room };
}

describe("probes", () => {
  const answering = (status: number) => async () => new Response(null, { status });
  const clock = { now: () => Date.now() };
  const running: Rounds[] = [];

  beforeEach(() => {
    vi.useFakeTimers({ now: startMs, toFake: ["setTimeout", "clearTimeout", "Date"] });
  });
  afterEach(async () => {
    for (const probes of running.splice(0)) await probes.stop();
    vi.useRealTimers();
  });

  function start(
    all: ReturnType<ReturnType<typeof fakeStore>["room"]>[],
    ask: (...args: Parameters<typeof fetch>) => Promise<Response>,
    fraction: () => number = Math.random,
    stopwatch?: () => number,
  ) {
    const events = new EventEmitter<Record<"room.failed", [object]>>();
    const random = { fraction };
    const rooms = { all, events } as never;
    const probes = createHealthProbes({ rooms, clock, random, fetch: ask, ...(stopwatch && { stopwatch }) });
    probes.start();
    running.push(probes);
    return { probes, events };
  }

  test("ask about once an interval and report how long the answer took, or that there was none", async () => {
    const { reports, room } = fakeStore(gateOf("http://site/health", 5_000), clock);
    let status = 200;
    let passedMs = 0;
    const asked: string[] = [];
    const ask = async (url: unknown) => {
      asked.push(String(url));
      passedMs += 31.44;
      return answering(status)();
    };
    start([room()], ask, Math.random, () => passedMs);
    await vi.advanceTimersByTimeAsync(50_500);
    expect(reports.length).toBeGreaterThanOrEqual(9);
    expect(reports.length).toBeLessThanOrEqual(11);
    expect(new Set(reports)).toEqual(new Set([31.4]));
    expect(new Set(asked)).toEqual(new Set(["http://site/health"]));
    status = 503;
    await vi.advanceTimersByTimeAsync(6_000);
    expect(reports.at(-1)).toBeNull();
  });

  test("of many processes ask about once an interval together, and go on when one of them ends", async () => {
    const { reports, room } = fakeStore(gateOf("http://site/health", 5_000), clock);
    const processes = Array.from({ length: 5 }, () => start([room()], answering(200)));
    await vi.advanceTimersByTimeAsync(100_000);
    expect(reports.length).toBeGreaterThanOrEqual(18);
    expect(reports.length).toBeLessThanOrEqual(24);
    for (const { probes } of processes.slice(0, 4)) await probes.stop();
    const before = reports.length;
    await vi.advanceTimersByTimeAsync(50_000);
    expect(reports.length - before).toBeGreaterThanOrEqual(8);
  });

  test("leave rooms without a gate, and rooms of which nothing is known, alone", async () => {
    const { reports, room } = fakeStore(null, clock);
    const unheard = { ...room(), state: null, refreshedMs: 0 };
    const ask = vi.fn(answering(200));
    start([room(), unheard as never], ask);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(ask).not.toHaveBeenCalled();
    expect(reports).toEqual([]);
  });

  test("go on when the store is away or the room recovers, and tell of what is neither", async () => {
    const faults = [new StoreUnavailableError(), new RoomRecoveringError(100), new Error("broken")];
    const { reports, room } = fakeStore(gateOf("http://site/health", 1_000), clock);
    const failing = async () => {
      const fault = faults.shift();
      if (fault !== undefined) throw fault;
    };
    const { events } = start([room(failing)], answering(200));
    const told: object[] = [];
    events.on("room.failed", (event) => told.push(event));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(reports.length).toBeGreaterThanOrEqual(5);
    expect(told).toEqual([{ room: "tickets", error: expect.objectContaining({ message: "broken" }) }]);
  });

  test("that are stopped abort what is under way, report nothing of it and do nothing more", async () => {
    const { reports, room } = fakeStore(gateOf("http://site/health", 1_000), clock);
    const ask = vi.fn(
      (_: unknown, init?: RequestInit) =>
        new Promise<Response>((_, reject) =>
          init?.signal?.addEventListener("abort", () => reject(new Error("aborted"))),
        ),
    );
    const { probes } = start([room()], ask, () => 0.5);
    await vi.advanceTimersByTimeAsync(600);
    expect(ask).toHaveBeenCalledTimes(1);
    await probes.stop();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(ask).toHaveBeenCalledTimes(1);
    expect(reports).toEqual([]);
  });
});
