import { systemRandom } from "../../src/lib/clock-and-random.ts";
import { createLogger } from "../../src/lib/logger.ts";
import type { Store } from "../../src/store/contract/store.ts";
import { createRedisStore, type RedisStoreOptions } from "../../src/store/redis/index.ts";
import { createMovedClock } from "../support/moved-clock.ts";
import { type RedisServer, startRedis } from "../support/redis-server.ts";
import { redisDatabase } from "../support/shared-redis.ts";
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

/**
 * At a server of its own, which may be restarted.
 *
 * @param extra further arguments of the server's command line
 */
export async function createRedisHarness(extra: readonly string[] = []): Promise<RedisHarness> {
  const server = await startRedis(extra);
  return harnessAt(server.url, { ...server, empty: () => server.command("FLUSHALL") });
}

/** In a database of the server that all test files of this process share: with a clock of its own, but without snapshots and restarts. */
export async function createDatabaseHarness(): Promise<RedisHarness> {
  const { url, command, reset, refund } = await redisDatabase();
  const none = () => Promise.reject(new Error("others use this server, too"));
  const without = { save: none, restore: none, restoreInPlace: none, restart: none, reload: none };
  return harnessAt(url, { ...without, command, empty: reset, stop: refund });
}

interface Server
  extends Pick<RedisServer, "command" | "restart" | "save" | "restore" | "restoreInPlace" | "reload" | "stop"> {
  empty(): Promise<unknown>;
}

async function harnessAt(url: string, server: Server): Promise<RedisHarness> {
  const clock = createMovedClock();
  const stores: Store[] = [];
  const logger = createLogger("silent");
  const testing = { clockLua, lastArgument: () => clock.now() };
  // A machine that is busy is no store that is away.
  const usual = { random: systemRandom, logger, testing, commandTimeoutMs: 60_000 };

  async function connect(beside?: RedisStoreOptions["beside"]): Promise<Store> {
    const store = createRedisStore({ ...usual, url, ...(beside && { beside }) });
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
      await server.empty();
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
      await server.stop();
    },
  };
}
