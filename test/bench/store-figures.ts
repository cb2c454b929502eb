import type { RedisServer } from "../support/redis-server.ts";

/** CPU time that the store has taken so far, in microseconds, and the memory that it uses, in bytes. */
export async function storeUse(redis: RedisServer): Promise<{ cpuUs: number; bytes: number }> {
  const info = `${await redis.command("INFO", "cpu")}\n${await redis.command("INFO", "memory")}`;
  const read = (name: string) => Number(new RegExp(`^${name}:(\\S+)`, "m").exec(info)?.[1]);
  return { cpuUs: (read("used_cpu_user") + read("used_cpu_sys")) * 1e6, bytes: read("used_memory") };
}

/** What one of so many took of the store. */
export async function useOfEach<T>(redis: RedisServer, work: () => Promise<T>, countOf: (made: T) => number) {
  const before = await storeUse(redis);
  const made = await work();
  const after = await storeUse(redis);
  const count = countOf(made);
  return { made, cpuUs: (after.cpuUs - before.cpuUs) / count, bytes: (after.bytes - before.bytes) / count };
}
