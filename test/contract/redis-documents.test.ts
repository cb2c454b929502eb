/**
 * Goal: what a shared document costs in Redis, and that it outlives what befalls the server. Method: real servers: one
 * that is killed and reads its append-only file, a replica that is promoted too early, and the server's own counters.
 */
import { afterEach, describe, expect, it } from "vitest";
import { systemRandom } from "../../src/lib/clock-and-random.ts";
import { createLogger } from "../../src/lib/logger.ts";
import type { SharedDocuments } from "../../src/store/contract/room-store.ts";
import { createRedisStore } from "../../src/store/redis/index.ts";
import { type RedisServer, startRedis } from "../support/redis-server.ts";
import { createRedisHarness } from "./redis-harness.ts";

const cleanups: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function server(): Promise<RedisServer> {
  // A replica is served at once.
  const redis = await startRedis(["--repl-diskless-sync-delay", "0"]);
  cleanups.push(() => redis.stop());
  return redis;
}

async function documentsAt(redis: RedisServer): Promise<SharedDocuments> {
  const store = createRedisStore({ url: redis.url, random: systemRandom, logger: createLogger("silent") });
  cleanups.push(() => store.close());
  await store.start();
  return store.documents;
}

async function harnessWith(...extra: string[]) {
  const harness = await createRedisHarness(extra);
  cleanups.push(() => harness.close());
  return harness;
}

it("is what it was after a restart from the append-only file, and settles once for each", async () => {
  const harness = await harnessWith("--appendonly", "yes", "--appendfsync", "always");
  const { documents } = harness.store;
  await documents.replace("a", "a1", 0);
  for (const version of [1, 2]) {
    await harness.restart();
    const known = { version, text: `a${version}` };
    expect(await documents.exchange("a", null)).toEqual(known);
    expect(await documents.exchange("a", known)).toBe("unchanged");
    const text = `a${version + 1}`;
    expect(await documents.replace("a", text, version)).toEqual({ result: "settling", remainingMs: 2_500 });
    await harness.advance(2_500);
    expect(await documents.replace("a", text, version)).toEqual({ result: "ok", version: version + 1 });
  }
});

it("begins to settle anew when the server is restarted meanwhile", async () => {
  const harness = await harnessWith("--appendonly", "yes", "--appendfsync", "always");
  const { documents } = harness.store;
  await documents.exchange("a", { version: 4, text: "a4" });
  await harness.advance(2_000);
  await harness.restart();
  expect(await documents.replace("a", "x", 4)).toEqual({ result: "settling", remainingMs: 2_500 });
});

it("is not changed on a promoted replica that was behind before the newer one is offered", async () => {
  const [master, replica] = [await server(), await server()];
  const before = await documentsAt(master);
  await before.replace("a", "a1", 0);
  await replica.command("REPLICAOF", "127.0.0.1", String(master.port));
  await expect.poll(() => replica.command("HGET", "usher:document:a", "text")).toBe("a1");
  await replica.command("REPLICAOF", "NO", "ONE");
  await before.replace("a", "a2", 1);
  await before.replace("a", "a3", 2);

  const behind = await documentsAt(replica);
  const knowing = await documentsAt(replica);
  expect(await behind.exchange("a", { version: 1, text: "a1" })).toBe("unchanged");
  expect(await behind.replace("a", "b2", 1)).toMatchObject({ result: "settling" });
  expect(await knowing.exchange("a", { version: 3, text: "a3" })).toBe("unchanged");
  expect(await behind.exchange("a", { version: 1, text: "a1" })).toEqual({ version: 3, text: "a3" });
});

describe("its cost", () => {
  async function bytesOf(redis: RedisServer): Promise<number> {
    const stats = String(await redis.command("INFO", "stats"));
    const count = (name: string) => Number(new RegExp(`${name}:(\\d+)`).exec(stats)?.[1]);
    return count("total_net_input_bytes") + count("total_net_output_bytes");
  }

  it("is little where the process knows the document: neither side sends a text, and nothing is written", async () => {
    const redis = await server();
    const documents = await documentsAt(redis);
    const text = "x".repeat(1_000_000);
    await documents.replace("a", text, 0);
    await documents.exchange("a", { version: 1, text });
    await redis.command("CONFIG", "RESETSTAT");
    const before = await bytesOf(redis);
    for (let i = 0; i < 20; i++) expect(await documents.exchange("a", { version: 1, text })).toBe("unchanged");
    const used = (await bytesOf(redis)) - before;
    expect(used).toBeGreaterThan(0);
    expect(used / 20).toBeLessThan(1_000);
    expect(String(await redis.command("INFO", "commandstats"))).not.toContain("cmdstat_hset");
  });
});
