/** Goal: what a rehearsal came to is kept for operators at any gateway. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startWorld, type World } from "../../../e2e/world.ts";
import { type Admin, createAdmin } from "../../../support/admin.ts";
import { type RedisServer, startRedis } from "../../../support/redis-server.ts";
import { within } from "../../../support/within.ts";

let redis: RedisServer;
let world: World;
let admins: readonly Admin[];

beforeAll(async () => {
  redis = await startRedis();
  world = await startWorld({
    store: { name: "Redis", start: async () => ({ config: { type: "redis", url: redis.url }, stop: async () => {} }) },
    gateways: 2,
    rooms: [{ id: "sale" }, { id: "practice", settings: { rehearsal: true } }],
  });
  admins = world.gateways.map(({ operatorsOrigin }) => createAdmin(world.http, operatorsOrigin));
});
afterAll(async () => {
  await world?.stop();
  await redis?.stop();
});

const at = (index: number): Admin => {
  const found = admins[index];
  if (found === undefined) throw new Error(`there is no gateway ${index}`);
  return found;
};

test("the result of a rehearsal is taken with its pass alone, and says which settings were changed since", async () => {
  const { pass } = (await at(0).request("POST", "/rooms/practice/rehearsal", { visitors: 5, minutes: 1 })).json() as {
    pass: string;
  };
  const figures = {
    visitors: 5,
    arrived: 5,
    joined: 5,
    admitted: 4,
    no_shows: 1,
    waiting: 0,
    lost_places: 0,
    ghosts: 0,
  };
  const result = {
    began_at: "2027-03-01T10:00:00.000Z",
    seconds: 31.5,
    stopped: false,
    way: "login",
    ...figures,
    most_in_a_minute: 4,
    limit_per_minute: 60,
    differences: { joined: 0, admitted: 0 },
    mend: [{ about: "latency", status: "warning", text: "One <b>join</b> in a hundred took 2,000 ms." }],
  };
  const put = (room: string, body: object) => at(1).request("PUT", `/rooms/${room}/rehearsal`, body);
  expect((await put("practice", { ...result, pass: "forged" })).status).toBe(409);
  expect((await put("sale", { ...result, pass })).status).toBe(409);
  expect((await put("practice", { ...result, pass, visitors: -1 })).status).toBe(400);
  const kept = await put("practice", { ...result, pass });
  expect(kept.status, kept.body).toBe(200);
  const change = { rehearsal: false, max_waiting: 70, schedule: { opens_at: "2035-01-01T00:00:00Z" } };
  const changed = await at(0).request("PATCH", "/rooms/practice", change);
  expect(changed.status, changed.body).toBe(200);
  await within(5_000, async () => {
    const told = (await at(1).request("GET", "/rooms/practice/rehearsal")).json() as { last: object };
    expect(told.last).toMatchObject({ ...result, by: { id: "env" }, changed_since: ["/max_waiting"] });
  });
});
