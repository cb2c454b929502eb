import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { freePort } from "./ports.ts";
import { startProcess } from "./processes.ts";
import { findRedis, type RedisServer, startRedis } from "./redis-server.ts";
import { makeTempDir } from "./temp-dir.ts";

/** A master with a replica, which a Sentinel promotes when the master is gone. */
export interface RedisWithReplica {
  /** Of the Sentinel. */
  readonly url: string;
  readonly master: RedisServer;
  readonly replica: RedisServer;
  /** The replica has all that the master has written so far. */
  untilReplicated(): Promise<void>;
  /** From now on the replica gets nothing. The Sentinel puts that right after eight seconds, and promotes it for ten. */
  cutReplica(): Promise<void>;
  stop(): Promise<void>;
}

export async function startRedisWithReplica(): Promise<RedisWithReplica> {
  const cleanups: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  };
  try {
    // A master waits five seconds for more replicas by default.
    const master = await startRedis(["--repl-diskless-sync-delay", "0"]);
    cleanups.push(() => master.stop());
    const port = String(master.port);
    const replica = await startRedis(["--replicaof", "127.0.0.1", port]);
    cleanups.push(() => replica.stop());
    await until(async () => String(await replica.command("INFO", "replication")).includes("master_link_status:up"));
    const dir = await makeTempDir("sentinel");
    cleanups.push(() => dir.remove());
    const sentinelPort = await freePort();
    const conf = join(dir.path, "sentinel.conf");
    const lines = [
      `port ${sentinelPort}`,
      `dir ${dir.path}`,
      `sentinel monitor rooms 127.0.0.1 ${port} 1`,
      "sentinel down-after-milliseconds rooms 1000",
      "sentinel failover-timeout rooms 3000",
    ];
    await writeFile(conf, `${lines.join("\n")}\n`);
    const sentinel = startProcess({ name: "sentinel", command: findRedis(), args: [conf, "--sentinel"] });
    cleanups.push(() => sentinel.kill());
    await sentinel.waitForOutput(/\+slave/);
    return {
      url: `redis-sentinel://127.0.0.1:${sentinelPort}/rooms`,
      master,
      replica,
      async untilReplicated() {
        const written = await offset(master, "master_repl_offset");
        await until(async () => (await offset(replica, "slave_repl_offset")) >= written);
      },
      cutReplica: async () => void (await replica.command("REPLICAOF", "127.0.0.1", "1")),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function offset(server: RedisServer, name: string): Promise<number> {
  const info = String(await server.command("INFO", "replication"));
  return Number(new RegExp(`${name}:(\\d+)`).exec(info)?.[1] ?? Number.NaN);
}

async function until(what: () => Promise<boolean>): Promise<void> {
  while (!(await what())) await new Promise((resolve) => setTimeout(resolve, 25));
}
