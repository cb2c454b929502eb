// Long: restarts gateways in turn behind nginx, under load.
/** Two gateways behind nginx are restarted in turn while visitors come, as whoever brings out a new version does it. */
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Nginx, startNginx } from "../../support/nginx.ts";
import { freePort } from "../../support/ports.ts";
import { startSteadyLoad } from "../../support/steady-load.ts";
import { redisStore } from "../redis-store.ts";
import { clientId, clientSecret, type ProcessWorld, redirectUri, startWorld } from "../world.ts";

const room = "tickets";

describe("a rolling restart", () => {
  let world: ProcessWorld;
  let nginx: Nginx;

  beforeAll(async () => {
    const port = await freePort();
    const issuer = `http://localhost:${port}`;
    world = await startWorld({
      asProcess: true,
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
    const load = startSteadyLoad(nginx.origin, {
      room,
      clientId: clientId(room),
      clientSecret: clientSecret(room),
      redirectUri: redirectUri(room),
    });
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

async function until<T>(ask: () => Promise<T>, expected: T): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (answer === expected) return answer;
    await delay(20);
  }
}
