import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { freePort } from "./ports.ts";

/** A private redis-server, gone with everything it kept when it is stopped. */
export interface RedisServer {
  readonly url: string;
  readonly port: number;
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
  /** Makes the server hang (SIGSTOP) and go on (SIGCONT). */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
}

/** REDIS_SERVER names another binary to test with, such as valkey-server. */
const binaries = [process.env.REDIS_SERVER, "redis-server", "/usr/sbin/redis-server", "/usr/local/bin/redis-server"];

/** Starts a redis-server on a free port of this machine. `extra` are further arguments of its command line. */
export async function startRedis(extra: readonly string[] = []): Promise<RedisServer> {
  const port = await freePort();
  const dir = await mkdtemp(join(tmpdir(), "usher-redis-"));
  let process = await launch(dir, port, extra);
  const client = new Redis({
    port,
    host: "127.0.0.1",
    lazyConnect: true,
    retryStrategy: () => 20,
    maxRetriesPerRequest: null,
  });
  client.on("error", () => {});
  await client.connect();

  const kill = async () => {
    if (process.exitCode !== null || process.signalCode !== null) return;
    process.kill("SIGKILL");
    await once(process, "exit");
  };
  const restart = async () => {
    await kill();
    process = await launch(dir, port, extra);
    await client.ping();
  };

  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    command: (name, ...args) => client.call(name, ...args),
    kill,
    restart,
    async save() {
      await client.call("SAVE");
      await copyFile(join(dir, "dump.rdb"), join(dir, "kept.rdb"));
    },
    async restore() {
      await kill();
      await copyFile(join(dir, "kept.rdb"), join(dir, "dump.rdb"));
      await restart();
    },
    freeze: () => void process.kill("SIGSTOP"),
    thaw: () => void process.kill("SIGCONT"),
    async stop() {
      client.disconnect();
      await kill();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

async function launch(dir: string, port: number, extra: readonly string[]): Promise<ChildProcess> {
  const fixed = ["--port", String(port), "--bind", "127.0.0.1", "--dir", dir, "--save", "", "--appendonly", "no"];
  for (const binary of binaries) {
    if (binary === undefined || binary === "") continue;
    const child = spawn(binary, [...fixed, ...extra], { stdio: "ignore" });
    // A binary that is not there fails to spawn; then the next one is tried.
    const isThere = await Promise.race([once(child, "spawn").then(() => true), once(child, "error").then(() => false)]);
    if (!isThere) continue;
    await untilAnswering(child, port);
    return child;
  }
  throw new Error("no redis-server found; install Redis, or set REDIS_SERVER to its path");
}

async function untilAnswering(child: ChildProcess, port: number): Promise<void> {
  const client = new Redis({ port, host: "127.0.0.1", lazyConnect: true, retryStrategy: () => 20 });
  client.on("error", () => {});
  const died = once(child, "exit").then(() => {
    throw new Error(`redis-server on port ${port} ended at once`);
  });
  try {
    await Promise.race([died, client.connect().catch(() => client.ping())]);
  } finally {
    client.disconnect();
    died.catch(() => {});
  }
}
