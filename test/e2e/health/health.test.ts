/** What any process tells of all, on a real Redis: which run, which is gone, and what is not well. */
import { hash } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import type { AdminAnswers } from "../../../src/operate/client/index.ts";
import { ADMIN_KEY, type Gateway, startGateway } from "../../support/gateway.ts";
import { startRedis } from "../../support/redis-server.ts";
import { startRedisWithClock } from "../../support/redis-with-clock.ts";
import { within } from "../../support/within.ts";

type Health = AdminAnswers["Health"];

const rooms = ["line", "other"].map((id) => ({ id, inlet: { type: "manual" } }));
const viewer = "key-of-a-viewer-0123456789abcdef0123";
const ofOneRoom = "key-of-one-room-0123456789abcdef0123";
const sha256 = (key: string) => hash("sha256", key, "hex");
const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** What a busy machine earns by itself: a process that waits for the CPU, and a store that does. */
const ofTheMachine = ["process_late", "store_slow"];

async function health(gateway: Gateway, key = ADMIN_KEY, query = ""): Promise<Health> {
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${gateway.operatorsOrigin}/admin/health${query}`, { headers });
  expect(response.status).toBe(200);
  const told = (await response.json()) as Health;
  return { ...told, attention: told.attention.filter(({ code }) => !ofTheMachine.includes(code)) };
}

const codes = ({ attention }: Health) => attention.map(({ code }) => code);

async function startTwo(config: Record<string, unknown>, ofOther: Record<string, unknown> = {}) {
  const { redis, one, common } = await startOne(config);
  const other = await startGateway({ config: { ...common, ...ofOther }, secretsFile: one.secretsFile });
  cleanups.push(() => other.stop());
  return { redis, one, other };
}

async function startOne(config: Record<string, unknown>) {
  const redis = await startRedis(["--appendonly", "yes"]);
  cleanups.push(() => redis.stop());
  const store = { type: "redis", url: redis.url };
  const one = await startGateway({ config: { store, rooms, ...config } });
  cleanups.push(() => one.stop());
  return { redis, one, common: { store, rooms, issuer: one.issuer, ...config } };
}

test("a process tells of all, and that one was killed within fifteen seconds; one that ends in good order is just forgotten", async () => {
  const { one, common } = await startOne({});
  const other = await startGateway({ asProcess: true, config: common, secretsFile: one.secretsFile });
  cleanups.push(() => other.stop());
  const both = await within(10_000, async () => {
    const told = await health(one);
    expect(told.processes?.map(({ state }) => state)).toEqual(["ready", "ready"]);
    return told;
  });
  expect(both.attention).toEqual([]);
  expect(both.processes?.map(({ answers }) => answers).sort()).toEqual([false, true]);
  expect(new Set(both.processes?.map(({ build }) => build)).size).toBe(1);
  expect(both.store).toMatchObject({ answers: true, server: { append_only: true, eviction_policy: "noeviction" } });
  expect(both.keys?.filter(({ state }) => state === "active").length).toBeGreaterThan(2);
  expect(both.rooms).toMatchObject(rooms.map(({ id }) => ({ room: id, availability: "ready", log: { unsealed: 0 } })));

  await other.kill();
  const gone = await within(15_000, async () => {
    const told = await health(one);
    expect(codes(told)).toEqual(["process_gone"]);
    return told;
  });
  expect(gone.attention[0]?.about).toBe(gone.processes?.find(({ state }) => state === "gone")?.name);

  await other.start();
  await within(10_000, async () => {
    const told = await health(one);
    expect(codes(told)).toEqual([]);
    expect(told.processes).toHaveLength(2);
  });
  await other.halt();
  await within(5_000, async () => expect((await health(one)).processes).toHaveLength(1));
});

test("processes with different files are named, with the part that differs", async () => {
  const client = (id: string) => ({
    client_id: id,
    client_secret: `secret-of-${id}-0123456789abcdef`,
    redirect_uris: [`https://${id}.example.test/callback`],
    room: "line",
  });
  const { other } = await startTwo({ clients: [client("a")] }, { clients: [client("a"), client("b")] });
  await within(10_000, async () => {
    const told = await health(other);
    expect(codes(told)).toEqual(["configurations_differ"]);
    expect(told.attention[0]?.text).toContain("differs in clients");
  });
});

test("a viewer is shown no hosts, and a key for another room nothing of processes, store and keys", async () => {
  const { redis, one } = await startTwo({
    admin: {
      keys: [
        { id: "viewer", key_sha256: sha256(viewer), role: "viewer" },
        { id: "of-one", key_sha256: sha256(ofOneRoom), role: "operator", rooms: ["other"] },
      ],
    },
  });
  await redis.command("CONFIG", "SET", "appendonly", "no");
  const host = new URL(redis.url).host;
  const told = await within(10_000, async () => {
    const answer = await health(one);
    expect(codes(answer)).toEqual(["store_not_append_only"]);
    return answer;
  });
  expect(told.attention[0]?.text).toContain(host);
  const seen = await health(one, viewer);
  expect(codes(seen)).toEqual(["store_not_append_only"]);
  expect(JSON.stringify(seen)).not.toContain(host);
  expect(seen.processes).toHaveLength(2);
  const { at: _, attention, rooms, ...others } = await health(one, ofOneRoom);
  expect({ attention, rooms }).toMatchObject({ attention: [], rooms: [{ room: "other" }] });
  expect(Object.keys(others)).toEqual(expect.arrayContaining(["processes", "store", "keys"]));
  expect(Object.values(others).every((part) => part === null)).toBe(true);
  expect(await health(one, ADMIN_KEY, "?show=attention")).toMatchObject({
    attention: [{ code: "store_not_append_only", severity: "warning" }],
    processes: null,
    rooms: null,
  });
});

test("a store that is away is said, with how old all else is, and that it was started anew afterwards", async () => {
  const { redis, one } = await startTwo({});
  await within(10_000, async () => expect((await health(one)).processes).toHaveLength(2));
  await redis.kill();
  await within(10_000, async () => {
    const told = await health(one);
    expect(codes(told)[0]).toBe("store_away");
    expect(told.store?.answers).toBe(false);
    expect(codes(told)).not.toContain("process_gone");
  });
  await redis.restart();
  await within(20_000, async () => {
    const told = await health(one);
    expect(told.processes?.map(({ state }) => state)).toEqual(["ready", "ready"]);
    expect(codes(told)).toEqual(["store_restarted"]);
  });
});

test("a process whose clock is not the store's says by how much", async () => {
  const redis = await startRedisWithClock();
  cleanups.push(() => redis.stop());
  await redis.setClock(30);
  const gateway = await startGateway({ config: { store: { type: "redis", url: redis.url }, rooms } });
  cleanups.push(() => gateway.stop());
  await within(15_000, async () => {
    const { attention, processes } = await health(gateway);
    expect(attention.map(({ text }) => text).join()).toContain("30 s behind");
    expect(Math.round((processes?.[0]?.clock_ahead_ms ?? 0) / 1_000)).toBe(-30);
  });
});
