/**
 * Goal: a planned move of a Cluster's slot costs a room nothing, and nothing else passes for one: not a promoted replica that lagged, not a state that is
 * behind what a process has seen. Method: three real nodes and a replica; two stores, which are two processes.
 */
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { systemRandom } from "../../src/lib/clock-and-random.ts";
import { AlreadyConsumedError } from "../../src/lib/errors.ts";
import { createLogger } from "../../src/lib/logger.ts";
import type { Seen } from "../../src/store/contract/room-store.ts";
import type { Store } from "../../src/store/contract/store.ts";
import { createRedisStore } from "../../src/store/redis/index.ts";
import { moveSlot, type RedisCluster, startCluster } from "../support/redis-cluster.ts";
import type { RedisServer } from "../support/redis-server.ts";
import { openRoom } from "./open-room.ts";
import { okValue, settings } from "./room-driver.ts";

/** Servers and processes take their time on a busy machine. */
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000, expect: { poll: { timeout: 120_000 } } });

const fileSettings = settings({ limit: 600 });
const stores: Store[] = [];
let cluster: RedisCluster;

beforeAll(async () => {
  cluster = await startCluster();
});
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
});
afterAll(() => cluster.stop());

async function twoProcesses(room: string) {
  const [one, two] = await Promise.all([0, 1].map(process));
  if (one === undefined || two === undefined) throw new Error("no stores");
  const incarnation = await openRoom(one, { room, fileSettings });
  return { room, one, two, incarnation, ...(await nodesOf(`{${room}}`)) };
}

/** Where a key was at first, and where it can be moved to; or, where it was moved before, the other way round. */
async function nodesOf(key: string, isFirst = true) {
  const slot = Number(await cluster.nodes[0]?.command("CLUSTER", "KEYSLOT", key));
  const from = cluster.nodes[Math.floor(slot / (16_384 / 3))] as RedisServer;
  const to = cluster.nodes.find((node) => node !== from) as RedisServer;
  return isFirst ? { slot, from, to } : { slot, from: to, to: from };
}

async function process(): Promise<Store> {
  const store = createRedisStore({ url: cluster.url, random: systemRandom, logger: createLogger("silent") });
  stores.push(store);
  await store.start();
  // Both know the masters.
  await expect.poll(() => store.commandCounts.get("look-at-node") ?? 0).toBeGreaterThanOrEqual(3);
  await new Promise((resolve) => setTimeout(resolve, 100));
  return store;
}

/** What a process has seen of the room by now. */
async function seenBy(store: Store, room: string, incarnation: string): Promise<Seen> {
  const { flowMs, edition, queued } = okValue(await store.rooms.tick(room, incarnation, 0)).state;
  return { incarnation, flowMs, edition, queued };
}

it("goes on at once where the slot was moved: the next position, the same incarnation, no hold", async () => {
  const { room, one, two, incarnation, slot, from, to } = await twoProcesses("planned");
  okValue(await one.rooms.join(room, incarnation, 5));
  const seen = await seenBy(one, room, incarnation);
  okValue(await two.rooms.join(room, incarnation, 1));
  let during: Promise<unknown> = Promise.resolve();
  await moveSlot(cluster, slot, [from, to], async () => {
    // Parts of the room are at either node: it is tried again, until it is whole.
    during = one.rooms.join(room, seen, 1).then((outcome) => okValue(outcome).first);
    await new Promise((resolve) => setTimeout(resolve, 700));
  });
  expect(await during).toBe(7);
  expect(okValue(await two.rooms.join(room, seen, 1)).first).toBe(8);
  const { state } = okValue(await one.rooms.tick(room, seen, 0));
  expect(state).toMatchObject({ queued: 8, gaps: [], holdRemainingMs: 0, incarnation });
  // And back, with several operations at once.
  await moveSlot(cluster, slot, [to, from]);
  const joined = await Promise.all([one, two, one].map((store) => store.rooms.join(room, seen, 1)));
  expect(joined.map((outcome) => okValue(outcome).first).toSorted((a, b) => a - b)).toEqual([9, 10, 11]);
  // A process that is started afterwards goes on, too; one that has seen more begins a recovery.
  const contribution = { room, fileSettings, memory: null, isNewRoom: false };
  expect(await two.rooms.contribute({ ...contribution, seen })).toMatchObject({ incarnation, remainingMs: 0 });
  const more = { ...seen, queued: 12 };
  expect((await two.rooms.contribute({ ...contribution, seen: more })).remainingMs).toBeGreaterThan(0);
});

it("is no restart of the server for the processes that report there", async () => {
  const { one: store } = await twoProcesses("reports");
  const report = () => store.processes.report("one", "{}");
  const first = await report();
  const { slot, from, to } = await nodesOf("usher:processes");
  await moveSlot(cluster, slot, [from, to]);
  const second = await report();
  expect(second.server?.runId).not.toBe(first.server?.runId);
  expect([first.isMoved, second.isMoved, (await report()).isMoved]).toEqual([false, true, false]);
});

it.each(["AuthorizationCode", "RefreshToken", "OneTimeLink"])(
  "%s: what was not used is good at the node to which its slot was moved, once; what was used stays used",
  async (model) => {
    const { room, one, two, incarnation } = await twoProcesses(`records-${model.toLowerCase()}`);
    for (const store of [one, two]) await seenBy(store, room, incarnation);
    const [here, there] = [one.oidcAdapter(model), two.oidcAdapter(model)];
    const payload = { iat: Math.floor(Date.now() / 1_000) };
    const ids = ["unused", "used", "gone", "raced"];
    for (const id of ids) await here.upsert(id, payload, 60);
    await here.consume("used");
    await here.destroy("gone");
    const recordOf = (id: string) => `usher:oidc:${model}:${id}`;
    for (const id of ids) {
      const { slot, from, to } = await nodesOf(recordOf(id));
      expect(await from.command("EXISTS", recordOf(id))).toBe(id === "gone" ? 0 : 1);
      await moveSlot(cluster, slot, [from, to]);
      expect(await to.command("EXISTS", recordOf(id))).toBe(id === "gone" ? 0 : 1);
    }
    for (const adapter of [there, here]) {
      expect(await adapter.find("unused")).toMatchObject(payload);
      const used = await adapter.find("used");
      expect(used === undefined || used.consumed !== undefined).toBe(true);
      expect(await adapter.find("gone")).toBeUndefined();
      for (const id of ["used", "gone"]) await expect(adapter.consume(id)).rejects.toThrow(AlreadyConsumedError);
    }
    await there.consume("unused");
    const raced = await Promise.allSettled([here, there, here, there].map((adapter) => adapter.consume("raced")));
    expect(raced.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    // And back, by another move: used at either, it stays used.
    for (const id of ["unused", "raced"]) {
      const { slot, from, to } = await nodesOf(recordOf(id), false);
      await moveSlot(cluster, slot, [from, to]);
      for (const adapter of [here, there]) {
        await expect(adapter.consume(id), id).rejects.toThrow(AlreadyConsumedError);
      }
    }
  },
);

it("is a loss for a process that has seen more than what arrived", async () => {
  const { room, one, incarnation, slot, from, to } = await twoProcesses("behind");
  okValue(await one.rooms.join(room, incarnation, 5));
  const seen = await seenBy(one, room, incarnation);
  await moveSlot(cluster, slot, [from, to]);
  expect(await one.rooms.join(room, { ...seen, queued: 6 }, 1)).toEqual({ result: "recover" });
  expect(await one.rooms.join(room, { ...seen, flowMs: seen.flowMs + 60_000 }, 1)).toEqual({ result: "recover" });
  expect(okValue(await one.rooms.join(room, seen, 1)).first).toBe(6);
});

it("is a loss for a process that never had an answer of the room: it cannot tell", async () => {
  const { room, one, two, incarnation, slot, from, to } = await twoProcesses("unknown");
  const seen = await seenBy(one, room, incarnation);
  await moveSlot(cluster, slot, [from, to]);
  expect(await two.rooms.join(room, seen, 1)).toEqual({ result: "recover" });
});

it("never takes a promoted replica that lagged for a move", async () => {
  const { room, one, two, incarnation, slot, from, to } = await twoProcesses("lagged");
  const replica = await cluster.addReplica(to);
  const seen = await seenBy(one, room, incarnation);
  await seenBy(two, room, incarnation);
  await moveSlot(cluster, slot, [from, to]);
  await expect.poll(() => replica.command("CLUSTER", "COUNTKEYSINSLOT", String(slot))).not.toBe(0);
  await new Promise((resolve) => setTimeout(resolve, 300));
  replica.freeze();
  // The other process goes on at the new node, and gives out positions that the replica never hears of.
  const range = okValue(await two.rooms.join(room, seen, 50));
  expect(range.last).toBe(50);
  await to.kill();
  replica.thaw();
  await expect.poll(() => replica.command("CLUSTER", "FAILOVER", "TAKEOVER").catch(String)).toBe("OK");
  // What is at the replica is all that this process has seen: the node of before is a master, and says that the slot is elsewhere.
  await expect
    .poll(() => one.rooms.join(room, seen, 1).catch((error: Error) => error.name), { timeout: 120_000 })
    .toEqual({ result: "recover" });
});
