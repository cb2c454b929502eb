import { type RedisServer, startRedis } from "../support/redis-server.ts";
import { sharedRedis } from "../support/shared-redis.ts";
import type { StoreUnderTest } from "./world.ts";

/** A real Redis that other test files use, too. Tests that kill, restart or empty their server start a private one. */
export const redisStore: StoreUnderTest = {
  name: "Redis",
  async start() {
    const { url, giveBack } = await sharedRedis();
    return { config: { type: "redis", url }, stop: giveBack };
  },
};

/** A private Redis, which a test may kill, restart and empty. */
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
