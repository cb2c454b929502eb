import { EventEmitter } from "node:events";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createLoadProbes } from "../../../src/app/probes.ts";
import { StoreUnavailableError } from "../../../src/lib/errors.ts";
import type { Rounds } from "../../../src/lib/rounds.ts";

const startMs = Date.UTC(2027, 2, 1);
const probe = { url: "http://site/page", intervalMs: 2_000, timeoutMs: 500 };

/** What a store would tell of a room, to as many processes as there are. */
function fakeStore(isAdaptive = true) {
  const reports: (number | null)[] = [];
  const flowMs = () => Date.now() - startMs + 1e9;
  let probedMs = 0;
  const room = (report = async () => {}) => ({
    id: "tickets",
    get state() {
      const settings = { effective: { inlet: { probe } } };
      return { settings, flowMs: flowMs(), ...(isAdaptive && { adaptive: { probedMs } }) } as never;
    },
    get refreshedMs() {
      return Date.now();
    },
    operations: {
      async reportProbe(latencyMs: number | null) {
        await report();
        reports.push(latencyMs);
        probedMs = flowMs();
      },
    },
  });
  return { reports, room };
}

describe("probes of a site's latency", () => {
  const running: Rounds[] = [];
  /** A site that takes so long, and answers with this status. */
  const site = (takesMs: number, status = 200) =>
    vi.fn(
      (_: unknown, init?: RequestInit) =>
        new Promise<Response>((resolve, reject) => {
          init?.signal?.addEventListener("abort", () => reject(new Error("aborted")));
          setTimeout(() => resolve(new Response(null, { status })), takesMs);
        }),
    );

  beforeEach(() => {
    vi.useFakeTimers({ now: startMs, toFake: ["setTimeout", "clearTimeout", "Date"] });
  });
  afterEach(async () => {
    for (const probes of running.splice(0)) await probes.stop();
    vi.useRealTimers();
  });

  function start(
    room: ReturnType<ReturnType<typeof fakeStore>["room"]>,
    ask: ReturnType<typeof site>,
    fraction = () => 0.5,
  ) {
    const events = new EventEmitter<Record<"room.failed", [object]>>();
    const probes = createLoadProbes({
      rooms: { all: [room], events } as never,
      clock: { now: () => Date.now() },
      stopwatch: () => Date.now(),
      random: { fraction },
      fetch: ask as never,
    });
    probes.start();
    running.push(probes);
    return { probes, events };
  }

  test("tell how long the answer took, once an interval, however long it takes", async () => {
    const { reports, room } = fakeStore();
    const ask = site(300);
    start(room(), ask);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(reports).toEqual(Array.from({ length: 10 }, () => 300));
    const [url, init] = ask.mock.calls[0] ?? [];
    expect(url).toBe(probe.url);
    expect(init).toMatchObject({ redirect: "manual", headers: { connection: "close", "user-agent": "usher-load" } });
  });

  test.each([
    ["another status than 200 to 299", site(10, 503)],
    ["a redirect", site(10, 302)],
    ["no answer in time", site(501)],
  ])("tell of %s as of an error, which has no latency", async (_, ask) => {
    const { reports, room } = fakeStore();
    start(room(), ask);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(reports[0]).toBeNull();
  });

  test("of several processes ask once or twice an interval together", async () => {
    const { reports, room } = fakeStore();
    for (let i = 0; i < 4; i++) start(room(), site(50), Math.random);
    await vi.advanceTimersByTimeAsync(40_000);
    expect(reports.length).toBeGreaterThanOrEqual(18);
    expect(reports.length).toBeLessThanOrEqual(4 + 40);
  });

  test("leave rooms with another inlet alone", async () => {
    const { room } = fakeStore(false);
    const ask = site(10);
    start(room(), ask);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(ask).not.toHaveBeenCalled();
  });

  test("go on when the store is away, and tell of what is no outage", async () => {
    const faults = [new StoreUnavailableError(), new Error("broken")];
    const { reports, room } = fakeStore();
    const failing = async () => {
      const fault = faults.shift();
      if (fault !== undefined) throw fault;
    };
    const { events } = start(room(failing), site(10));
    const told: object[] = [];
    events.on("room.failed", (event) => told.push(event));
    await vi.advanceTimersByTimeAsync(20_000);
    expect(reports.length).toBeGreaterThanOrEqual(6);
    expect(told).toEqual([{ room: "tickets", error: expect.objectContaining({ message: "broken" }) }]);
  });

  test("that are stopped report nothing of what is under way", async () => {
    const { reports, room } = fakeStore();
    const { probes } = start(room(), site(400));
    await vi.advanceTimersByTimeAsync(700);
    await probes.stop();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(reports).toEqual([]);
  });
});
