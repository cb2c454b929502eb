/** Two gateways behind nginx are restarted in turn while visitors come, as whoever brings out a new version does it. */
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createHttpClient } from "../../support/http-client.ts";
import { type Nginx, startNginx } from "../../support/nginx.ts";
import { freePort } from "../../support/ports.ts";
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
