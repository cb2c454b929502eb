import { createLogger } from "../../src/lib/logger.ts";
import { systemRandom } from "../../src/lib/random.ts";
import { createRedisStore } from "../../src/store/redis/index.ts";
import type { Store } from "../../src/store/room-store.ts";
import { createMovedClock } from "../support/moved-clock.ts";
import { startRedis } from "../support/redis-server.ts";
import { untilAllAnswer } from "../support/store-answers.ts";
import type { StoreHarness } from "./harness.ts";

const nowKey = "usher-test:now-ms";

/** Stands in for lua/lib/clock.lua: the time is what the test last wrote. */
const clockLua = `local function server_now_ms() return tonumber(redis.call('GET', '${nowKey}')) end`;

export interface RedisHarness extends StoreHarness {
  /** Sends a command past the store. */
  command(...words: [string, ...string[]]): Promise<unknown>;
  /** Kills the server and starts it again with what it has kept by itself. */
  restart(): Promise<void>;
}

/** @param extra further arguments of the server's command line */
export async function createRedisHarness(extra: readonly string[] = []): Promise<RedisHarness> {
  const server = await startRedis(extra);
  const clock = createMovedClock();
  const stores: Store[] = [];
  const logger = createLogger("silent");
  const writeTime = () => server.command("SET", nowKey, String(clock.now()));

  async function connect(): Promise<Store> {
    const store = createRedisStore({ url: server.url, random: systemRandom, logger, testing: { clockLua } });
    stores.push(store);
    await store.start();
    return store;
  }

  await writeTime();
  return {
    store: await connect(),
    second: connect,
    nowMs: () => clock.now(),
    async advance(ms) {
      clock.advance(ms);
      await writeTime();
    },
    async wipe() {
      await server.command("FLUSHALL");
      await writeTime();
    },
    command: (...words) => server.command(...words),
    async restart() {
      await server.restart();
      await writeTime();
      await untilAllAnswer(stores);
    },
    save: () => server.save(),
    async restore() {
      await server.restore();
      await writeTime();
      await untilAllAnswer(stores);
    },
    async close() {
      await Promise.all(stores.map((store) => store.close()));
      await server.stop();
    },
  };
}
