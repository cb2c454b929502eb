/**
 * Goal: rule 9, and a shutdown in good order.
 * Method: a real gateway on a private Redis that is killed, frozen or comes back empty-handed, under its own clock.
 */
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { createAdmin } from "../support/admin.ts";
import { startGateway } from "../support/gateway.ts";
import { createHttpClient } from "../support/http-client.ts";
import { startRedis } from "../support/redis-server.ts";
import { areAnswered, haveHeard, until } from "./heard.ts";
import { clientOf, joinAll, joinLine, newPerson, visit } from "./people.ts";

/** A gateway with one room on a store of its own, which may be away yet. */
export async function startLine({ isStoreAway = false, asProcess = false } = {}) {
  const redis = await startRedis();
  if (isStoreAway) await redis.kill();
  const http = createHttpClient();
  const gateway = await startGateway({
    asProcess,
    config: {
      store: { type: "redis", url: redis.url },
      rooms: [{ id: "line", inlet: { type: "manual" } }],
      clients: [clientOf("line")],
    },
    waitUntilReady: !isStoreAway,
  });
  return {
    redis,
    http,
    gateway,
    origin: gateway.origin,
    admin: createAdmin(http, gateway.origin),
    async stop() {
      http.close();
      await gateway.stop();
      await redis.stop();
    },
  };
}

interface Outage {
  readonly takeAway: "freeze" | "kill";
  readonly asProcess: boolean;
}

export function describeOutage({ takeAway, asProcess }: Outage): void {
  test(`the store is away (${takeAway}): places stay visible, nobody enters, newcomers are told to hold on`, async () => {
    const line = await startLine({ asProcess });
    const { redis, http, origin, admin, gateway } = line;
    try {
      await redis.save();
      const people = await joinAll(http, [origin], "line", 20);
      await admin.increment("line", 10);
      await haveHeard(http, [origin], "line", { queued: 20, serving: 10 });
      await redis[takeAway]();
      await haveHeard(http, [origin], "line", { availability: "away" });
      await delay(2_000);

      const waiting = await visit(http, origin, people[15] ?? newPerson("line"));
      expect(waiting).toMatchObject({ kind: "parked", position: 16, state: "store_away" });
      expect(await visit(http, origin, people[3] ?? newPerson("line"))).toMatchObject({ kind: "parked", position: 4 });
      const newcomer = newPerson("line");
      expect(await visit(http, origin, newcomer)).toMatchObject({
        kind: "notice",
        status: 503,
        code: "store_unavailable",
      });
      expect([...newcomer.cookies.keys()].join()).toMatch(/arrival/);
      const status = await http.get(`${origin}/rooms/line/status`);
      expect(status.json()).toMatchObject({ queued: 20, serving: 10 });
      expect(Date.now() - Date.parse((status.json() as { updated_at: string }).updated_at)).toBeGreaterThan(2_000);
      const ready = await http.get(`${origin}/readyz`);
      expect(ready.status).toBe(503);
      expect((await http.get(`${origin}/healthz`)).status).toBe(200);
      const refused = await admin.request("POST", "/rooms/line/serving", { increment_by: 5 });
      expect(refused.status).toBe(503);

      if (takeAway === "freeze") redis.thaw();
      else await redis.restart();
      await gateway.waitUntilReady();
      await areAnswered(http, [origin], "line");
      // What was refused was not carried out later.
      expect(await visit(http, origin, people[10] ?? newPerson("line"))).toMatchObject({
        kind: "parked",
        position: 11,
      });
      expect(await visit(http, origin, people[3] ?? newPerson("line"))).toMatchObject({ kind: "code" });
      await until(async () => {
        await visit(http, origin, newcomer);
        expect(newcomer.position).toBeGreaterThan(20);
      });
    } finally {
      await line.stop();
    }
  });
}

/** @param asProcess whether the gateway is a process of its own */
export function describeStartWithoutStore(asProcess: boolean): void {
  test("a gateway starts while its store is away, and serves when it comes", async () => {
    const line = await startLine({ isStoreAway: true, asProcess });
    const { redis, http, origin, gateway } = line;
    try {
      expect(await visit(http, origin, newPerson("line"))).toMatchObject({ kind: "notice", status: 503 });
      await redis.restart();
      await gateway.waitUntilReady();
      const person = await joinLine(http, origin, "line");
      expect(person.position).toBe(1);
    } finally {
      await line.stop();
    }
  });
}
