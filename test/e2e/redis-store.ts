import { startRedis } from "../support/redis-server.ts";
import type { StoreUnderTest } from "./world.ts";

/** A real Redis of the test's own. */
export const redisStore: StoreUnderTest = {
  name: "Redis",
  async start() {
    const redis = await startRedis();
    return { config: { type: "redis", url: redis.url }, stop: () => redis.stop() };
  },
};
