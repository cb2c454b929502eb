/**
 * Goal: the audit survives what Redis survives, and says so where it does not. Method: two gateways on a Redis that writes each command to
 * its disk before it answers; it is killed and started again, with what it had written and then with nothing.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { LogVerifier } from "../../../src/room/admission-log/index.ts";
import { createAdmin } from "../../support/admin.ts";
import { type RedisServer, startRedis } from "../../support/redis-server.ts";
import { startWorld, type World } from "../world.ts";

let redis: RedisServer;
let world: World;
beforeAll(async () => {
  redis = await startRedis(["--appendonly", "yes", "--appendfsync", "always"]);
  const config = { type: "redis", url: redis.url };
  world = await startWorld({
    store: { name: "Redis", start: async () => ({ config, stop: () => redis.stop() }) },
    gateways: 2,
    rooms: [{ id: "shop", inlet: { type: "periodic", outflow_per_minute: 600 } }],
  });
});
afterAll(() => world?.stop());

interface Row {
  readonly seq: number;
  readonly kind: string;
  readonly route?: string;
  readonly changes?: readonly { readonly to: unknown }[];
}
const admin = (index: number) => {
  const gateway = world.gateways[index];
  if (gateway === undefined) throw new Error("there is no such gateway");
  return createAdmin(world.http, gateway.operatorsOrigin);
};
const set = async (index: number, maxWaiting: number) =>
  (await admin(index).request("PATCH", "/rooms/shop", { max_waiting: maxWaiting })).status;
/** Oldest first. */
const rowsAt = async (index: number): Promise<Row[]> => {
  const answer = await admin(index).request("GET", "/audit?limit=500");
  return answer.status === 200 ? (answer.json() as { rows: Row[] }).rows.toReversed() : [];
};
const maxWaiting = async (index: number) =>
  ((await admin(index).request("GET", "/rooms/shop")).json() as { settings_live: { max_waiting?: number } })
    .settings_live.max_waiting;

async function verified() {
  const lines = (await admin(0).request("GET", "/audit/export")).body.trim().split("\n");
  const verifier = new LogVerifier();
  for (const line of lines) verifier.take(line);
  return verifier.result();
}

test("a Redis that comes back with its data has every row; the chain goes on, and earlier changes can be undone", async () => {
  for (let turn = 0; turn < 6; turn++) expect(await set(turn % 2, 100 + turn)).toBe(200);
  const before = await rowsAt(1);
  expect(before).toHaveLength(7);
  await redis.restart();
  // Until the room has recovered, changes fail; their rows do not get lost.
  await expect.poll(() => set(0, 200), { timeout: 60_000, interval: 250 }).toBe(200);
  expect(await set(1, 201)).toBe(200);
  const after = await rowsAt(0);
  expect(after.slice(0, before.length)).toEqual(before);
  expect(after.slice(before.length).map(({ kind }) => kind)).not.toContain("recovery");
  expect(after.map(({ seq }) => seq)).toEqual(after.map((_, index) => index + 1));
  expect(await verified()).toMatchObject({ fault: null, missing: [], rows: after.length });
  const [last, other] = [after.at(-1), after.findLast(({ changes }) => changes?.[0]?.to === 200)];
  for (const row of [last, other]) {
    expect((await admin(1).request("POST", `/audit/${row?.seq}/undo`)).status).toBe(200);
  }
  expect(await maxWaiting(1)).toBe(105);
});

test("a Redis that comes back empty: the next row says which were known of, and the chain is checked from there", async () => {
  const before = await rowsAt(0);
  const last = before.at(-1)?.seq;
  await redis.command("FLUSHALL");
  await expect.poll(() => set(1, 300), { timeout: 60_000, interval: 250 }).toBe(200);
  const rows = await rowsAt(0);
  expect(rows[0]).toMatchObject({ kind: "recovery", heard: last });
  expect(rows[0]?.seq).toBeGreaterThan(last ?? 0);
  expect(rows.at(-1)).toMatchObject({ kind: "request", route: "/rooms/:room" });
  expect(await verified()).toMatchObject({ fault: null, isAudit: true, base: { seq: last } });
});
