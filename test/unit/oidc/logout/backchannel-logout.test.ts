import { EventEmitter } from "node:events";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { ClientConfig } from "../../../../src/config/config.ts";
import { StoreUnavailableError } from "../../../../src/lib/errors.ts";
import type { Rounds } from "../../../../src/lib/rounds.ts";
import { createBackchannelLogout, sendLogoutToken } from "../../../../src/oidc/logout/backchannel-logout.ts";
import { createClientDirectory } from "../../../../src/registry/index.ts";
import type { EndedLogin } from "../../../../src/room/index.ts";

const client = (clientId: string, uri?: string) =>
  ({
    clientId,
    rooms: ["shop"],
    ...(uri !== undefined && { backchannelLogoutUri: uri, backchannelLogoutSessionRequired: true }),
  }) as unknown as ClientConfig;
const ended = (clientId: string, n: number, part: Partial<EndedLogin> = {}): EndedLogin => ({
  id: `1:0:v${n}:${clientId}`,
  clientId,
  sub: `v${n}`,
  admittedMs: 0,
  attempt: 1,
  isLast: false,
  ...part,
});

describe("back-channel logout", () => {
  const events = new EventEmitter();
  const heard: [string, Record<string, unknown>][] = [];
  for (const name of ["backchannel_logout.sent", "backchannel_logout.failed", "room.failed"])
    events.on(name, (fields) => heard.push([name, fields]));
  let rounds: Rounds | undefined;
  const asked: string[] = [];
  let answer: (url: string) => Response | Promise<Response> = () => new Response();

  beforeEach(() => {
    vi.useFakeTimers();
    heard.length = 0;
    asked.length = 0;
    answer = () => new Response();
  });
  afterEach(async () => {
    await rounds?.stop();
    vi.useRealTimers();
  });

  /** @param batches what the store hands out, one after the other */
  function start(clients: ClientConfig[], batches: EndedLogin[][], error?: Error) {
    const takes: { done: readonly string[]; limit: number }[] = [];
    const takeEnded = async (done: readonly string[], limit: number) => {
      takes.push({ done: done.toSorted(), limit });
      if (error !== undefined) throw error;
      return batches.shift() ?? [];
    };
    const entries = clients.map((each) => ({ client: each, secrets: [] }));
    const clock = { now: () => Date.now() };
    rounds = createBackchannelLogout({
      rooms: { all: [{ id: "shop", admissions: { takeEnded } }], events },
      clients: createClientDirectory(entries, clock.now),
      tokens: { issue: async ({ clientId }, { sub }) => `${clientId} ${sub}` },
      clock,
      random: { fraction: () => 0.5 },
      fetch: (async (url: string, { body }: RequestInit) => {
        asked.push(String((body as URLSearchParams).get("logout_token")));
        return answer(url);
      }) as typeof fetch,
    });
    rounds.start();
    return takes;
  }
  const names = () => heard.map(([name]) => name.replace("backchannel_logout.", "")).sort();

  test("asks the store nothing where no client of the room wants to be notified", async () => {
    const takes = start([client("quiet")], []);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(takes).toEqual([]);
  });

  test("says which were notified with the next call, and asks until there are no more", async () => {
    const logins = [ended("shop", 1), ended("shop", 2)];
    const takes = start([client("shop", "https://shop.example/")], [logins]);
    await vi.advanceTimersByTimeAsync(600);
    expect(takes).toEqual([
      { done: [], limit: 100 },
      { done: logins.map(({ id }) => id), limit: 100 },
    ]);
    expect(names()).toEqual(["sent", "sent"]);
  });

  test("leaves a site that fails alone for ten seconds, and tells the others meanwhile", async () => {
    answer = (url) => new Response(null, { status: url.includes("down") ? 503 : 200 });
    const many = Array.from({ length: 50 }, (_, n) => ended("down", n));
    const takes = start(
      [client("down", "https://down.example/"), client("up", "https://up.example/")],
      [[...many, ended("up", 99)], [], many],
    );
    await vi.advanceTimersByTimeAsync(600);
    expect(takes.at(-1)?.done).toEqual(["1:0:v99:up"]);
    expect(asked.filter((token) => token.startsWith("down")).length).toBeLessThanOrEqual(10);
    expect(asked).toContain("up v99");
    const before = asked.length;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(takes).toHaveLength(4);
    expect(asked).toHaveLength(before);
    expect(heard.every(([, { isOver }]) => isOver !== true)).toBe(true);
  });

  test("a site that answers slowly keeps no others waiting, and is left before another process takes its logins", async () => {
    const slow = () => new Promise<Response>((resolve) => setTimeout(() => resolve(new Response()), 4_900));
    answer = (url) => (url.includes("slow") ? slow() : new Response());
    const many = Array.from({ length: 98 }, (_, n) => ended("slow", n));
    const takes = start(
      [client("slow", "https://slow.example/"), client("up", "https://up.example/")],
      [[...many, ended("up", 98), ended("slow", 99, { isLast: true })]],
    );
    await vi.advanceTimersByTimeAsync(600);
    expect(asked).toContain("up v98");
    expect(asked).toContain("slow v99");
    await vi.advanceTimersByTimeAsync(10_000);
    expect(takes).toHaveLength(2);
    expect(takes.at(-1)?.done).toHaveLength(21);
  });

  test("tries the last time though the site rests, and then lets it be, as one that the site refuses", async () => {
    answer = (url) => new Response(null, { status: url.includes("down") ? 503 : 400 });
    const takes = start(
      [client("down", "https://down.example/"), client("strict", "https://strict.example/")],
      [[ended("down", 1)], [ended("down", 2, { isLast: true, attempt: 9 }), ended("strict", 3)]],
    );
    await vi.advanceTimersByTimeAsync(600);
    expect(asked).toEqual(["down v1", "down v2", "strict v3"]);
    expect(takes.at(-1)?.done).toEqual(["1:0:v2:down", "1:0:v3:strict"]);
    expect(heard.map(([, { sub, isOver }]) => [sub, isOver]).sort()).toEqual([
      ["v1", false],
      ["v2", true],
      ["v3", true],
    ]);
  });

  test("leaves those of a client that it does not know to others", async () => {
    const takes = start(
      [client("shop", "https://shop.example/"), client("mute")],
      [[ended("gone", 1), ended("mute", 2)]],
    );
    await vi.advanceTimersByTimeAsync(600);
    expect([asked, takes.at(-1)?.done, heard]).toEqual([[], [], []]);
  });

  test("waits where the store is away, and tells of a fault", async () => {
    const takes = start([client("shop", "https://shop.example/")], [], new StoreUnavailableError("gone"));
    await vi.advanceTimersByTimeAsync(2_600);
    expect([takes.length, heard]).toEqual([3, []]);
    await rounds?.stop();
    start([client("shop", "https://shop.example/")], [], new TypeError("a fault"));
    await vi.advanceTimersByTimeAsync(600);
    expect(names()).toEqual(["room.failed"]);
  });
});

describe("a logout token on its way", () => {
  const stopping = new AbortController().signal;

  test.each([
    [200, "sent"],
    [204, "sent"],
    [400, "refused"],
    [302, "failed"],
    [404, "failed"],
    [503, "failed"],
  ])("is answered %d: %s", async (status, result) => {
    let request: RequestInit | undefined;
    const ask = (async (_url: string, given: RequestInit) => {
      request = given;
      return new Response(null, { status, headers: { location: "https://elsewhere.example/" } });
    }) as typeof fetch;
    expect(await sendLogoutToken("https://shop.example/", "token", stopping, ask)).toMatchObject({ result });
    expect(request).toMatchObject({ method: "POST", redirect: "manual" });
  });

  test("is waited for five seconds", async () => {
    vi.useFakeTimers();
    try {
      const ask = ((_url: string, { signal }: RequestInit) =>
        new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)))) as typeof fetch;
      const answer = sendLogoutToken("https://shop.example/", "token", stopping, ask);
      await vi.advanceTimersByTimeAsync(5_000);
      expect(await answer).toEqual({ result: "failed", reason: "took longer than 5000 ms" });
    } finally {
      vi.useRealTimers();
    }
  });

  test("that cannot be sent says why", async () => {
    const ask = (async () => {
      throw new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED 127.0.0.1:1") });
    }) as typeof fetch;
    const answer = await sendLogoutToken("https://shop.example/", "token", stopping, ask);
    expect(answer).toEqual({ result: "failed", reason: "connect ECONNREFUSED 127.0.0.1:1" });
  });
});
