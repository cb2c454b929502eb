/** Two gateways behind nginx are restarted in turn while visitors come, as whoever brings out a new version does it. */
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startGateway } from "../../support/gateway.ts";
import { createHttpClient } from "../../support/http-client.ts";
import { type Nginx, startNginx } from "../../support/nginx.ts";
import { freePort } from "../../support/ports.ts";
import { startRedis } from "../../support/redis-server.ts";
import { redisStore } from "../redis-store.ts";
import { clientId, clientSecret, redirectUri, startWorld, type World } from "../world.ts";

const room = "tickets";

describe("a rolling restart", () => {
  let world: World;
  let nginx: Nginx;

  beforeAll(async () => {
    const port = await freePort();
    const issuer = `http://localhost:${port}`;
    world = await startWorld({
      store: redisStore,
      issuer,
      gateways: 2,
      rooms: [{ id: room }],
      config: { listen: { drain: "2s", trusted_proxies: ["127.0.0.1"] } },
    });
    nginx = await startNginx({ port, upstreamPorts: world.gateways.map((gateway) => gateway.port) });
  });
  afterAll(async () => {
    await nginx?.stop();
    await world?.stop();
  });

  test("costs nobody a request", async () => {
    const load = startLoad(nginx.origin);
    const readiness: number[] = [];
    for (const gateway of world.gateways) {
      await delay(500);
      const answeredBefore = load.answered();
      const halted = gateway.halt();
      // The load balancer that asks hears it while requests are still answered.
      const asked = await until(async () => (await world.http.get(`${gateway.origin}/readyz`)).status, 503);
      readiness.push(asked);
      expect((await world.http.get(`${gateway.origin}/healthz`)).header("connection")).toBe("close");
      expect((await halted).code).toBe(0);
      expect(load.answered()).toBeGreaterThan(answeredBefore);
      await gateway.start();
      await gateway.waitUntilReady();
    }
    await delay(500);
    const { answers, failures } = await load.stop();
    expect(readiness).toEqual([503, 503]);
    expect(failures).toEqual([]);
    expect(Math.min(...Object.values(answers))).toBeGreaterThan(50);
  });
});

describe("a gateway that is told to stop", () => {
  const startOne = () => startGateway({ config: { listen: { drain: "10m" }, rooms: [{ id: room }] } });

  test("goes on answering until a second signal", async () => {
    const gateway = await startOne();
    gateway.process().signal("SIGTERM");
    await gateway.process().waitForOutput(/gateway\.draining/);
    // One that a launcher passes on at once says the same again.
    gateway.process().signal("SIGTERM");
    await delay(1_100);
    expect((await fetch(`${gateway.origin}/healthz`)).status).toBe(200);
    gateway.process().signal("SIGTERM");
    expect((await gateway.process().exited).code).toBe(0);
    await gateway.stop();
  });

  test("by a key at a terminal, stops at once", async () => {
    const gateway = await startOne();
    gateway.process().signal("SIGINT");
    expect((await gateway.process().exited).code).toBe(0);
    expect(gateway.output()).not.toContain("gateway.draining");
    await gateway.stop();
  });
});

describe("a gateway that is told to stop while it starts", () => {
  test.each(["SIGTERM", "SIGINT"] as const)("does so in good order, and serves nobody: %s", async (signal) => {
    const redis = await startRedis();
    const config = { store: { type: "redis", url: redis.url }, rooms: [{ id: room }] };
    const gateway = await startGateway({ config });
    try {
      // With a room to recover, a start takes seconds.
      await gateway.kill();
      await redis.command("FLUSHALL");
      const started = gateway.start().then(
        () => true,
        () => false,
      );
      await gateway.process().waitForOutput(/room\.recovering/);
      gateway.process().signal(signal);
      expect(await gateway.process().exited).toEqual({ code: 0, signal: null });
      expect(gateway.process().output()).toMatch(/"event":"gateway\.stopped"/);
      expect(gateway.process().output()).not.toMatch(/"event":"gateway\.started"/);
      expect(await started).toBe(false);
    } finally {
      await gateway.stop();
      await redis.stop();
    }
  });
});

/** What visitors, apps and relying parties send, on connections that last. Those that change something are not sent twice by nginx. */
const requests = {
  status: { path: `/rooms/${room}/status`, method: "GET", expected: 200 },
  page: {
    path: `/authorize?${new URLSearchParams({
      client_id: clientId(room),
      redirect_uri: redirectUri(room),
      response_type: "code",
      scope: "openid",
      state: "a",
    })}`,
    method: "GET",
    expected: 200,
  },
  ticket: { path: `/rooms/${room}/tickets`, method: "POST", expected: 201 },
  token: {
    path: "/token",
    method: "POST",
    body: new URLSearchParams({ grant_type: "authorization_code", code: "none", redirect_uri: redirectUri(room) }),
    headers: {
      Authorization: `Basic ${Buffer.from(`${clientId(room)}:${clientSecret(room)}`).toString("base64")}`,
    },
    expected: 400,
  },
} as const;

function startLoad(origin: string) {
  const http = createHttpClient();
  const answers = { status: 0, page: 0, ticket: 0, token: 0 };
  const failures: string[] = [];
  let isOver = false;
  const send = async (name: keyof typeof requests) => {
    const { path, expected, ...request } = requests[name];
    const answer = await http.request(`${origin}${path}`, request).catch((error: Error) => error.message);
    const status = typeof answer === "string" ? answer : answer.status;
    if (status === expected) answers[name]++;
    else failures.push(`${name}: ${status}`);
  };
  const workers = (Object.keys(requests) as (keyof typeof requests)[]).flatMap((name) =>
    Array.from({ length: 2 }, async () => {
      while (!isOver) {
        await send(name);
        await delay(20);
      }
    }),
  );
  return {
    answered: () => Object.values(answers).reduce((sum, count) => sum + count, 0),
    async stop() {
      isOver = true;
      await Promise.all(workers);
      http.close();
      return { answers, failures };
    },
  };
}

async function until<T>(ask: () => Promise<T>, expected: T): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (answer === expected) return answer;
    await delay(20);
  }
}
