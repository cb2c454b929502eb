import { Redis } from "ioredis";
import { type RedisServer, startRedis } from "../support/redis-server.ts";
import type { StoreUnderTest } from "./world.ts";

/**
 * A real Redis: the one that REDIS_URL names, from which only Usher's own keys are removed, or a private one. Tests
 * that kill, restart or empty their server always start a private one.
 */
export const redisStore: StoreUnderTest = {
  name: "Redis",
  async start() {
    const url = process.env.REDIS_URL ?? "";
    if (url !== "") {
      await removeOwnKeys(url);
      return { config: { type: "redis", url }, stop: () => removeOwnKeys(url) };
    }
    const redis = await startRedis();
    return { config: { type: "redis", url: redis.url }, stop: () => redis.stop() };
  },
};

async function removeOwnKeys(url: string): Promise<void> {
  const client = new Redis(url);
  try {
    for await (const keys of client.scanStream({ match: "usher:*", count: 500 })) {
      if (keys.length > 0) await client.del(...(keys as string[]));
    }
  } finally {
    client.disconnect();
  }
}

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
