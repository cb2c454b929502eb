/**
 * Goal: what the Redis store does when the connection or the server misbehaves. Method: real servers, a proxy that
 * loses replies, a frozen process, a server turned into a replica.
 */
import { afterEach, describe, expect, it } from "vitest";
import { systemRandom } from "../../src/lib/clock-and-random.ts";
import { StoreUnavailableError } from "../../src/lib/errors.ts";
import { createLogger } from "../../src/lib/logger.ts";
import { createReadiness, watchReadiness } from "../../src/operate/ops/readiness.ts";
import type { Store } from "../../src/store/contract/store.ts";
import { createRedisStore } from "../../src/store/redis/index.ts";
import { type CuttingProxy, startCuttingProxy } from "../support/cutting-proxy.ts";
import { freePort } from "../support/ports.ts";
import { type RedisServer, startRedis } from "../support/redis-server.ts";
import { openRoom } from "./open-room.ts";
import { okValue, settings } from "./room-driver.ts";

const fileSettings = settings();
const cleanups: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function server(extra: string[] = []): Promise<RedisServer> {
  const redis = await startRedis(extra);
  cleanups.push(() => redis.stop());
  return redis;
}

async function proxyTo(redis: RedisServer): Promise<CuttingProxy> {
  const proxy = await startCuttingProxy(redis.port);
  cleanups.push(() => proxy.close());
  return proxy;
}

function storeAt(url: string, commandTimeoutMs = 10_000): Store {
  const store = createRedisStore({ url, random: systemRandom, logger: createLogger("silent"), commandTimeoutMs });
  cleanups.push(() => store.close());
  return store;
}

async function untilAnswering(store: Store): Promise<void> {
  for (;;) {
    const isUp = await store.unfit().then(
      () => true,
      () => false,
    );
    if (isUp) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const room = { room: "room", fileSettings };

/** Without a port of its own its bus has the one ten thousand above, which a passing connection may have. */
async function clusterNode(): Promise<RedisServer> {
  return server(["--cluster-enabled", "yes", "--cluster-port", String(await freePort())]);
}

async function clusterOfOne(): Promise<RedisServer> {
  const redis = await clusterNode();
  await makeCluster(redis, redis.port);
  return redis;
}

/** A cluster of one node, which tells its clients to come through the proxy. */
async function clusterBehindProxy(): Promise<CuttingProxy> {
  const redis = await clusterNode();
  const proxy = await proxyTo(redis);
  await makeCluster(redis, proxy.port);
  return proxy;
}

async function makeCluster(redis: RedisServer, port: number): Promise<void> {
  await redis.command("CONFIG", "SET", "cluster-announce-port", String(port));
  await redis.command("CONFIG", "SET", "cluster-announce-ip", "127.0.0.1");
  await redis.command("CLUSTER", "ADDSLOTS", ...Array.from({ length: 16_384 }, (_, slot) => String(slot)));
  while (!String(await redis.command("CLUSTER", "INFO")).includes("cluster_state:ok")) {
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

describe("a lost reply", () => {
  it.each([
    ["a single server", "redis", async () => proxyTo(await server())],
    ["a cluster", "redis-cluster", clusterBehindProxy],
  ] as const)("of %s never doubles an increment or a join: nothing is sent again", async (_, scheme, start) => {
    const proxy = await start();
    const store = storeAt(`${scheme}://127.0.0.1:${proxy.port}`);
    expect(await store.start()).toEqual({ warnings: [] });
    const incarnation = await openRoom(store, room);
    const increment = () => store.rooms.adminStep("room", incarnation, { step: "increment", by: 50 }, "request");
    // Loads the scripts, so that the next calls are one command each.
    await store.rooms.adminStep("room", incarnation, { step: "increment", by: 0 }, "first");
    await store.rooms.join("room", incarnation, 1);
    for (const operation of [increment, () => store.rooms.join("room", incarnation, 3)]) {
      const connections = proxy.connections();
      proxy.cutNextReply();
      await expect(operation()).rejects.toBeInstanceOf(StoreUnavailableError);
      await untilAnswering(store);
      expect(proxy.connections()).toBeGreaterThan(connections);
    }
    const { state } = okValue(await store.rooms.tick("room", incarnation, 0));
    expect([state.serving, state.queued]).toEqual([50, 4]);
    expect(okValue(await increment())).toMatchObject({ serving: 50 });
  });
});

describe("a server that is away", () => {
  it("fails commands at once while there is no connection, and connects again by itself", async () => {
    const redis = await server();
    // What waited for a connection would wait for longer than the test.
    const store = storeAt(redis.url, 600_000);
    await store.start();
    await redis.kill();
    await expect(store.unfit()).rejects.toBeInstanceOf(StoreUnavailableError);
    await expect(openRoom(store, room)).rejects.toBeInstanceOf(StoreUnavailableError);
    await redis.restart();
    await untilAnswering(store);
    await openRoom(store, room);
  });

  it("is no error at the start", async () => {
    const redis = await server();
    await redis.kill();
    const store = storeAt(redis.url);
    expect((await store.start()).warnings).toHaveLength(1);
    await redis.restart();
    await untilAnswering(store);
  });

  it("is given up on after the command timeout when it hangs", async () => {
    const redis = await server();
    const store = storeAt(redis.url, 1_000);
    await store.start();
    redis.freeze();
    await expect(openRoom(store, room)).rejects.toBeInstanceOf(StoreUnavailableError);
    redis.thaw();
    await untilAnswering(store);
    await openRoom(store, room);
  });

  it("is left for another when it has become a replica", async () => {
    const redis = await server();
    const proxy = await proxyTo(redis);
    const store = storeAt(`redis://127.0.0.1:${proxy.port}`);
    await store.start();
    const incarnation = await openRoom(store, room);
    await redis.command("REPLICAOF", "127.0.0.1", "1");
    const connections = proxy.connections();
    await expect(store.rooms.join("room", incarnation, 1)).rejects.toBeInstanceOf(StoreUnavailableError);
    await untilAnswering(store);
    expect(proxy.connections()).toBeGreaterThan(connections);
    await redis.command("REPLICAOF", "NO", "ONE");
    expect(okValue(await store.rooms.join("room", incarnation, 1)).first).toBe(1);
  });
});

describe("the circuit breaker", () => {
  const away = (work: Promise<unknown>) => expect(work).rejects.toBeInstanceOf(StoreUnavailableError);

  it.each([
    ["a single server", "redis", () => server()],
    ["a cluster", "redis-cluster", clusterOfOne],
  ] as const)("sends %s nothing while it hangs, and everything once it answers", async (_, scheme, start) => {
    const redis = await start();
    const store = storeAt(`${scheme}://127.0.0.1:${redis.port}`, 1_000);
    await store.start();
    const incarnation = await openRoom(store, room);
    const tick = () => store.rooms.tick("room", incarnation, 0);
    await tick();
    redis.freeze();
    await Promise.all([away(tick()), away(tick())]);
    expect(store.breaker).toMatchObject({ state: "half_open", openedTotal: 1 });
    const sent = () => new Map(store.commandCounts);
    const before = sent();
    const step = () => store.rooms.adminStep("room", incarnation, { step: "increment", by: 50 }, "request");
    for (const ask of [tick, step, () => store.rooms.join("room", incarnation, 3), () => store.unfit()]) {
      await away(ask());
    }
    expect(sent()).toEqual(before);
    redis.thaw();
    await untilAnswering(store);
    expect(store.breaker).toMatchObject({ state: "closed", openedTotal: 1 });
    // What was not sent did not happen.
    expect(okValue(await tick()).state).toMatchObject({ serving: 0, queued: 0 });
    expect(okValue(await step())).toMatchObject({ serving: 50 });
  });

  it("leaves to what was sent before its own time to be answered, which closes it", async () => {
    const redis = await server();
    const store = storeAt(redis.url, 2_000);
    await store.start();
    const incarnation = await openRoom(store, room);
    await store.rooms.join("room", incarnation, 1);
    redis.freeze();
    const silent = [away(store.unfit()), away(store.unfit())];
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const join = store.rooms.join("room", incarnation, 3);
    await Promise.all(silent);
    expect(store.breaker?.state).toBe("half_open");
    redis.thaw();
    expect(okValue(await join)).toMatchObject({ first: 2, last: 4 });
    expect(store.breaker).toMatchObject({ state: "closed", openedTotal: 1 });
  });

  it("does not mind errors that Redis answers, nor a connection that is gone", async () => {
    const redis = await server();
    const store = storeAt(redis.url);
    await store.start();
    const incarnation = await openRoom(store, room);
    const tick = () => store.rooms.tick("room", incarnation, 0);
    await redis.command("CONFIG", "SET", "maxmemory", "1");
    for (let round = 0; round < 5; round++) await away(store.rooms.join("room", incarnation, 1));
    await redis.kill();
    for (let round = 0; round < 5; round++) await away(tick());
    expect(store.breaker).toMatchObject({ state: "closed", openedTotal: 0 });
  });
});

describe("the check at the start", () => {
  it("accepts a plain server, whose clock is the store's", async () => {
    const redis = await server();
    const store = storeAt(redis.url);
    expect(await store.start()).toEqual({ warnings: [] });
    const incarnation = await openRoom(store, room);
    const beforeMs = Date.now();
    const { state } = okValue(await store.rooms.tick("room", incarnation, 0));
    // Its clock is ours.
    expect(state.nowMs).toBeGreaterThan(beforeMs - 1_000);
    expect(state.nowMs).toBeLessThan(Date.now() + 1_000);
    expect(store.commandCounts.get("tick")).toBe(1);
  });

  it("refuses a server that evicts", async () => {
    const redis = await server(["--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru"]);
    await expect(storeAt(redis.url).start()).rejects.toThrow(
      /maxmemory-policy allkeys-lru .*CONFIG SET maxmemory-policy noeviction/,
    );
  });

  it("says once that a server evicts since it runs, and once that it does so no more, by the log alone", async () => {
    const redis = await server();
    const store = storeAt(redis.url);
    await store.start();
    const lines: { event: string; msg?: string; message?: string }[] = [];
    const logger = createLogger("info", { write: (line: string) => void lines.push(JSON.parse(line)) });
    const readiness = createReadiness({
      keys: () => ({}),
      keyFaults: () => [],
      agreeOnKeys: async () => ({}),
      unfit: store.unfit,
      checkpointFailure: () => null,
      skewMs: () => 0,
      unsyncedRooms: () => [],
    });
    const watch = watchReadiness(readiness, logger);
    const looks = async (count: number) => {
      for (let look = 0; look < count; look++) await watch.look();
    };
    await looks(2);
    for (const policy of ["allkeys-lru", "volatile-ttl"]) {
      await redis.command("CONFIG", "SET", "maxmemory-policy", policy);
      await looks(3);
      expect(lines.map(({ event }) => event)).toContain("gateway.warning");
      const said = lines.filter((line) => JSON.stringify(line).includes(`has maxmemory-policy ${policy}`));
      expect(said.filter(({ event }) => event === "gateway.warning")).toHaveLength(1);
    }
    await redis.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
    await looks(3);
    expect(lines.map(({ event }) => event)).toEqual([
      ...["gateway.warning", "gateway.warning"],
      ...["gateway.mended", "gateway.ready"],
    ]);
  });

  it("sees the policy of a server that forbids CONFIG, as managed ones do", async () => {
    const forbidden = ["--rename-command", "CONFIG", ""];
    expect(await storeAt((await server(forbidden)).url).start()).toEqual({ warnings: [] });
    const evicting = await server([...forbidden, "--maxmemory", "100mb", "--maxmemory-policy", "volatile-ttl"]);
    await expect(storeAt(evicting.url).start()).rejects.toThrow(/maxmemory-policy volatile-ttl/);
  });

  it("refuses a user that may not run scripts or INFO", async () => {
    const redis = await server();
    for (const [user, right] of [
      ["no-scripts", "-@scripting"],
      ["no-info", "-info"],
    ] as const) {
      await redis.command("ACL", "SETUSER", user, "on", ">secret", "~*", "&*", "+@all", right);
      const store = storeAt(`redis://${user}:secret@127.0.0.1:${redis.port}`);
      await expect(store.start()).rejects.toThrow(/refuses to run Usher's scripts/);
    }
  });
});
