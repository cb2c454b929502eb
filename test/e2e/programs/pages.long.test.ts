// Long: pages of a gateway that has lost something, in a world each; pages.test.ts has all that may be asked for at one.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loseAdmissionsOf } from "../../support/checkpoints.ts";
import type { Gateway } from "../../support/gateway.ts";
import { type RedisServer, startRedis } from "../../support/redis-server.ts";
import type { Visitor } from "../../support/visitor.ts";
import { useBrands } from "../brands/world.ts";
import { memoryStore, startWorld, useWorld, type World } from "../world.ts";
import { by, check, comesTo, json, loginUrl, parkedIn, posts, sameOrigin, targets } from "./page-checks.ts";

describe("at a host of nobody", () => {
  const world = useBrands(memoryStore, 1);
  const ask = (path: string, accept: string) =>
    world().http.get(`${world().one.issuer}${path}`, { accept, host: "nobody.example" });

  test("people and programs are sent away, and search engines too", async () => {
    const row = { page: "421 bad_request", json: "421 bad_request" };
    await check(row, (accept) => ask("/authorize", accept));
    const robots = await ask("/robots.txt", "*/*");
    expect([robots.status, robots.body]).toEqual([200, "User-agent: *\nAllow: /$\nDisallow: /\n"]);
    const own = await world().http.get(`${world().two.issuer}/robots.txt`);
    expect([own.status, own.body]).toEqual([200, robots.body]);
  });
});

describe("after a loss", () => {
  const limited = { id: "limited", inlet: { type: "manual", outflow_per_minute: 60 } };
  const world = useWorld(() => ({ store: memoryStore, rooms: [limited] }));

  test("whoever is held until nobody can have been admitted twice is told when to come", async () => {
    const visitor = await parkedIn(world(), "limited");
    const gateway = world().gateways[0] as Gateway;
    await gateway.halt();
    await loseAdmissionsOf(gateway);
    await gateway.start();
    await gateway.waitUntilReady();
    const row = { page: "200 recovering", json: "200 waiting", again: true } as const;
    await check(
      row,
      by(visitor, () => loginUrl(world(), "limited")),
    );
  });
});

describe("while the store is away", () => {
  let redis: RedisServer;
  let world: World;
  let visitor: Visitor;
  beforeAll(async () => {
    redis = await startRedis();
    const store = {
      name: "Redis",
      start: async () => ({ config: { type: "redis", url: redis.url }, stop: async () => {} }),
    };
    world = await startWorld({ store, rooms: [{ id: "line", settings: { waiting_status: 202 } }] });
    visitor = await parkedIn(world, "line");
    await redis.kill();
    // The first who notices waits for it.
    await visitor.navigate(loginUrl(world, "line"));
    await world.http.get(loginUrl(world, "line"), { accept: json });
  });
  afterAll(async () => {
    await world?.stop();
    await redis?.stop();
  });

  test("a place is told as it was", async () => {
    const row = { page: "202 store_away", json: "202 waiting", again: true } as const;
    await check(
      row,
      by(visitor, () => loginUrl(world, "line")),
    );
  });

  test("newcomers hold on, and what cannot be done now is to be done again", async () => {
    const again = true;
    await check({ page: "503 store_unavailable", json: "503 hold_on", again }, await comesTo("line")(world));
    const cookie = visitor.jar.header(new URL(world.issuer)) ?? "";
    const leaves = posts("/rooms/line/leave", new URLSearchParams(), { ...sameOrigin, cookie });
    await check({ page: "503 not_now", json: "503 store_unavailable", again }, await leaves(world));
  });
});

describe("the status of the waiting page", () => {
  const world = useWorld(() => ({
    store: memoryStore,
    rooms: [202, 429].map((waiting_status) => ({
      id: `line-${waiting_status}`,
      settings: { waiting_status, targets, max_waiting: 1 },
    })),
  }));

  test.each([202, 429])(
    "is %i where the room says so, of the page and of its JSON, by login and by link",
    async (status) => {
      const room = `line-${status}`;
      const visitor = await parkedIn(world(), room);
      const row = { page: `${status} waiting`, json: `${status} waiting`, again: true } as const;
      for (const url of [() => loginUrl(world(), room), () => `${world().issuer}/rooms/${room}/enter`]) {
        await check(row, by(visitor, url));
      }
      // It is that of a place in line alone.
      await check({ page: "503 room_full", json: "503 room_full", again: 30 }, await comesTo(room)(world()));
      const token = `${world().issuer}/rooms/${room}/tickets/me`;
      expect((await visitor.fetch(token)).status).toBe(200);
      await world().admin.increment(room, 1);
      await world().relyingParty(room).login(visitor);
    },
  );
});
