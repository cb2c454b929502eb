// Long: fills a room with a million admissions.
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "../../support/visitor.ts";
import { within } from "../../support/within.ts";
import { ownRedis } from "../redis-store.ts";
import { useWorld } from "../world.ts";

const redis = ownRedis();
const schedule = { opens_at: "2099-01-01T10:00:00Z" };
const world = useWorld(() => ({
  store: redis.store,
  rooms: [{ id: "idle", settings: { when_idle: "pass_through", schedule } }],
}));
let client: Redis;
beforeAll(() => {
  client = new Redis(redis.server().url);
});
afterAll(() => client.disconnect());

/** But for those that the room makes by the clock, whoever comes. */
async function keys(): Promise<Set<string>> {
  return new Set((await client.keys("*")).filter((key) => !key.includes(":statistics_")));
}

test("in a room that everybody passes, strangers leave a million admissions at most: the next one holds on until there is room", async () => {
  const { issuer } = world();
  const admissions = "usher:{idle}:admissions";
  const fill =
    "for at = tonumber(ARGV[1]) + 1, tonumber(ARGV[2]) do redis.call('HSET', KEYS[1], 'stranger ' .. at, '') end";
  const step = 50_000;
  // Before all of them, somebody came while there was a line.
  const join = async () =>
    ((await world().http.request(`${issuer}/rooms/idle/tickets`, { method: "POST" })).json() as { ticket: string })
      .ticket;
  const claim = async (ticket: string) => {
    const headers = { authorization: `Bearer ${ticket}` };
    return world().http.request(`${issuer}/rooms/idle/tickets/me/token`, { method: "POST", headers });
  };
  await world().admin.step("idle", "open");
  const placed = await within(5_000, async () => {
    const ticket = await join();
    const me = await world().http.get(`${issuer}/rooms/idle/tickets/me`, { authorization: `Bearer ${ticket}` });
    expect(me.json()).toMatchObject({ position: expect.any(Number) });
    return ticket;
  });
  await world().admin.step("idle", "idle");
  const known = await client.hlen(admissions);
  for (let at = known; at < 1_000_000; at += step) {
    await client.eval(fill, 1, admissions, at, Math.min(at + step, 1_000_000));
  }
  const site = world().relyingParty("idle");
  const pass = async () =>
    (await world().visitor().navigate(site.startLogin().url, { stopAt: site.isCallback })) as Page;
  const before = await keys();
  for (let visitor = 0; visitor < 3; visitor++)
    expect(await pass()).toMatchObject({ status: 503, notice: "store_unavailable" });
  const claimed = await claim(await join());
  expect([claimed.status, claimed.json()]).toMatchObject([202, { held_by: "capacity" }]);
  expect(await client.hlen(admissions)).toBe(1_000_000);
  expect([...(await keys())].filter((key) => !before.has(key))).toEqual([]);
  await client.hdel(admissions, "stranger 1000000");
  const passed = await pass();
  expect(passed.location?.searchParams.get("code")).toBeTruthy();
  expect(await pass()).toMatchObject({ status: 503, notice: "store_unavailable" });
  // A place in line is no stranger's.
  expect((await claim(placed)).status).toBe(200);
  await client.del(admissions);
});
