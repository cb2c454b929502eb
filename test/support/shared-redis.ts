/** One redis-server for all test files that a process runs, each in a database of its own. */
import { rmSync } from "node:fs";
import { Redis } from "ioredis";
import { startRedis } from "./redis-server.ts";

/** An empty Redis, to use but not to kill, restart, freeze or set up in another way: others use the same server. */
export interface SharedRedis {
  readonly url: string;
  /** Removes all that was written there. */
  reset(): Promise<void>;
  /** For the next one who asks. */
  refund(): Promise<void>;
}

/** A database of the private server. */
export interface RedisDatabase extends SharedRedis {
  /** Sends one command there, over a connection of the test's own. */
  command(name: string, ...args: string[]): Promise<unknown>;
}

/** So many at most are in use at once. */
const databases = 64;
const free = Array.from({ length: databases }, (_, number) => number);
let server: Promise<string> | undefined;

/** The Redis that REDIS_URL names, from which only Usher's own keys are removed, or else a database of the private server. */
export async function sharedRedis(): Promise<SharedRedis> {
  const url = process.env.REDIS_URL ?? "";
  if (url === "") return redisDatabase();
  const reset = () => removeOwnKeys(url);
  await reset();
  return { url, reset, refund: reset };
}

/** A database of this process's own redis-server, which starts when the first is asked for, and ends with the process. */
export async function redisDatabase(): Promise<RedisDatabase> {
  server ??= startServer();
  const address = await server;
  const number = free.shift();
  if (number === undefined) throw new Error(`all ${databases} databases are in use: some test gives none back`);
  const url = `${address}/${number}`;
  const client = new Redis(url, { maxRetriesPerRequest: null });
  const reset = async () => void (await client.flushdb());
  await reset();
  return {
    url,
    command: (name, ...args) => client.call(name, ...args),
    reset,
    async refund() {
      await reset();
      client.disconnect();
      free.push(number);
    },
  };
}

async function startServer(): Promise<string> {
  const redis = await startRedis(["--databases", String(databases)]);
  // It saves nothing. Later is too late: the runner kills the process.
  rmSync(redis.folder, { recursive: true });
  return redis.url;
}

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
