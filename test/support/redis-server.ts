import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { Redis } from "ioredis";
import { freePort } from "./ports.ts";
import { findProgram, type Running, startProcess } from "./processes.ts";
import { makeTempDir } from "./temp-dir.ts";

/** A private redis-server, gone with everything it kept when it is stopped. */
export interface RedisServer {
  readonly url: string;
  readonly port: number;
  /** Where it would save. */
  readonly folder: string;
  /** Sends one command over a connection of the launcher's own. */
  command(name: string, ...args: string[]): Promise<unknown>;
  /** SIGKILL: the server is gone, with all it had not saved. */
  kill(): Promise<void>;
  /** Starts it again on the same port, with what was saved last, under another run id. */
  restart(): Promise<void>;
  /** Takes a snapshot (SAVE), for `restore`. */
  save(): Promise<void>;
  /** Kills the server and starts it again with the snapshot taken by `save`. */
  restore(): Promise<void>;
  /** Puts the snapshot of `save` back as it runs, key by key: the same run goes on with older data. */
  restoreInPlace(): Promise<void>;
  /** Has the running server load the snapshot of `save` (DEBUG RELOAD; it needs `--enable-debug-command local`). */
  reload(): Promise<void>;
  /** Makes the server hang (SIGSTOP) and go on (SIGCONT). */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
}

/** REDIS_SERVER names another binary to test with, such as valkey-server. */
export function findRedis(): string {
  const program = process.env.REDIS_SERVER ?? findProgram("redis-server") ?? findProgram("valkey-server");
  if (program === undefined) throw new Error("no redis-server found; install Redis, or set REDIS_SERVER to its path");
  return program;
}

/**
 * Starts a redis-server on a free port of this machine.
 *
 * @param extra further arguments of its command line
 * @param variables for its environment, as NAME=value
 */
export async function startRedis(
  extra: readonly string[] = [],
  variables: readonly string[] = [],
): Promise<RedisServer> {
  const port = await freePort();
  const dir = await makeTempDir("redis");
  let running = await launch(dir.path, port, extra, variables);
  // This one connection may wait and repeat: it is the test's own hand on the server.
  const client = new Redis({ ...address(port), lazyConnect: true, maxRetriesPerRequest: null });
  client.on("error", () => {});
  await client.connect();

  let kept: KeptKey[] = [];

  const kill = async () => void (await running.kill());
  const restart = async () => {
    await kill();
    running = await launch(dir.path, port, extra, variables);
    await client.ping();
  };

  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    folder: dir.path,
    command: (name, ...args) => client.call(name, ...args),
    kill,
    restart,
    async save() {
      kept = await dumpAll(client);
      await client.call("SAVE");
      await copyFile(join(dir.path, "dump.rdb"), join(dir.path, "kept.rdb"));
    },
    async restore() {
      await kill();
      await copyFile(join(dir.path, "kept.rdb"), join(dir.path, "dump.rdb"));
      await restart();
    },
    async restoreInPlace() {
      const all = client.multi().flushdb();
      for (const { key, value, ttlMs } of kept) all.restore(key, Math.max(0, ttlMs), value);
      await all.exec();
    },
    async reload() {
      await copyFile(join(dir.path, "kept.rdb"), join(dir.path, "dump.rdb"));
      await client.call("DEBUG", "RELOAD", "NOSAVE");
    },
    freeze: () => running.signal("SIGSTOP"),
    thaw: () => running.signal("SIGCONT"),
    async stop() {
      client.disconnect();
      await kill();
      await dir.remove();
    },
  };
}

interface KeptKey {
  readonly key: string;
  readonly value: Buffer;
  /** -1: it does not expire. */
  readonly ttlMs: number;
}

async function dumpAll(client: Redis): Promise<KeptKey[]> {
  const keys = await client.keys("*");
  return Promise.all(
    keys.map(async (key) => ({ key, value: (await client.dumpBuffer(key)) as Buffer, ttlMs: await client.pttl(key) })),
  );
}

function address(port: number) {
  return { host: "127.0.0.1", port, retryStrategy: () => 20 };
}

async function launch(
  dir: string,
  port: number,
  extra: readonly string[],
  variables: readonly string[],
): Promise<Running> {
  const fixed = ["--port", String(port), "--bind", "127.0.0.1", "--dir", dir, "--save", "", "--appendonly", "no"];
  const running = startProcess({
    name: `redis-server ${port}`,
    // The variables are for the server alone, not for the shell that starts it.
    command: "/usr/bin/env",
    args: [...variables, findRedis(), ...fixed, ...extra],
  });
  await running.waitUntil("an answer to PING", () => isAnswering(port));
  return running;
}

async function isAnswering(port: number): Promise<boolean> {
  const client = new Redis({ ...address(port), lazyConnect: true, retryStrategy: () => null });
  client.on("error", () => {});
  try {
    await client.connect();
    return (await client.ping()) === "PONG";
  } catch {
    return false;
  } finally {
    client.disconnect();
  }
}
