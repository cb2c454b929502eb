import { type RedisServer, startRedis } from "../support/redis-server.ts";
import { type RedisDatabase, redisDatabase, sharedRedis } from "../support/shared-redis.ts";
import type { StoreUnderTest } from "./world.ts";

/** A real Redis that other test files use, too. Tests that kill, restart or empty their server have one of their own. */
export const redisStore: StoreUnderTest = {
  name: "Redis",
  async start() {
    const { url, refund } = await sharedRedis();
    return { config: { type: "redis", url }, stop: refund };
  },
};

/** A database of the test's own, which it may look into and empty, on a server that others use, too. */
export function ownDatabase(): { readonly store: StoreUnderTest; readonly database: () => RedisDatabase } {
  let database: RedisDatabase | undefined;
  return {
    store: {
      name: "a Redis database of its own",
      async start() {
        const started = await redisDatabase();
        database = started;
        return { config: { type: "redis", url: started.url }, stop: () => started.refund() };
      },
    },
    database() {
      if (database === undefined) throw new Error("its world has not been started");
      return database;
    },
  };
}

/** A private Redis, which a test may kill and restart. */
export function ownRedis(): { readonly store: StoreUnderTest; readonly server: () => RedisServer } {
  let server: RedisServer | undefined;
  return {
    store: {
      name: "a Redis of its own",
      async start() {
        const started = await startRedis();
        server = started;
        return { config: { type: "redis", url: started.url }, stop: () => started.stop() };
      },
    },
    server() {
      if (server === undefined) throw new Error("its world has not been started");
      return server;
    },
  };
}
