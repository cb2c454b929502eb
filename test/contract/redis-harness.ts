import { createLogger } from "../../src/lib/logger.ts";
import { systemRandom } from "../../src/lib/random.ts";
import type { Store } from "../../src/store/contract/store.ts";
import { createRedisStore, type RedisStoreOptions } from "../../src/store/redis/index.ts";
import { createMovedClock } from "../support/moved-clock.ts";
import { type RedisServer, startRedis } from "../support/redis-server.ts";
import { untilAllAnswer } from "../support/store-answers.ts";
import type { StoreHarness } from "./harness.ts";

/** Stands in for lua/lib/clock.lua: the time comes with the command itself, so that moving it costs no command of its own. */
const clockLua = "local function server_now_ms() return tonumber(ARGV[#ARGV]) end";

export interface RedisHarness extends StoreHarness {
  /** Sends a command past the store. */
  command(...words: [string, ...string[]]): Promise<unknown>;
  /** Kills the server and starts it again with what it has kept by itself. */
  restart(): Promise<void>;
  /** See RedisServer. */
  reload(): Promise<void>;
  /** Another process's store, which writes beside its checkpoints in this directory. */
  storeBeside(directory: string, processName: string): Promise<Store>;
}

/** @param extra further arguments of the server's command line */
export async function createRedisHarness(extra: readonly string[] = []): Promise<RedisHarness> {
  const server = await startRedis(extra);
  const harness = await harnessAt(server, server.url, () => server.command("FLUSHALL"));
  return {
    ...harness,
    async close() {
      await harness.close();
      await server.stop();
    },
  };
}

/** So many at one server, for use side by side: each has a database and a clock of its own. None may restart it. */
export async function createRedisHarnesses(
  count: number,
): Promise<{ harnesses: StoreHarness[]; close(): Promise<void> }> {
  const server = await startRedis();
  const emptied = "redis.call('SELECT', ARGV[1]) redis.call('FLUSHDB')";
  const harnesses = await Promise.all(
    Array.from({ length: count }, (_, database) =>
      harnessAt(server, `${server.url}/${database}`, () => server.command("EVAL", emptied, "0", String(database))),
    ),
  );
  return {
    harnesses,
    async close() {
      await Promise.all(harnesses.map((harness) => harness.close()));
      await server.stop();
    },
  };
}

async function harnessAt(server: RedisServer, url: string, empty: () => Promise<unknown>): Promise<RedisHarness> {
  const clock = createMovedClock();
  const stores: Store[] = [];
  const logger = createLogger("silent");
  const testing = { clockLua, lastArgument: () => clock.now() };

  async function connect(beside?: RedisStoreOptions["beside"]): Promise<Store> {
    const store = createRedisStore({ url, random: systemRandom, logger, testing, ...(beside && { beside }) });
    stores.push(store);
    await store.start();
    return store;
  }

  return {
    store: await connect(),
    second: () => connect(),
    storeBeside: (directory, processName) => connect({ directory, processName, storeName: null }),
    nowMs: () => clock.now(),
    advance: async (ms) => clock.advance(ms),
    async wipe() {
      await empty();
    },
    command: (...words) => server.command(...words),
    async restart() {
      await server.restart();
      await untilAllAnswer(stores);
    },
    save: () => server.save(),
    async restore() {
      await server.restore();
      await untilAllAnswer(stores);
    },
    restoreInPlace: () => server.restoreInPlace(),
    reload: () => server.reload(),
    async close() {
      await Promise.all(stores.map((store) => store.close()));
    },
  };
}
