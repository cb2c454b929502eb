/** The command as a process: the codes that it ends with, signals, and one gateway of two workers, of which one is killed. */
import { readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ADMIN_KEY, type ProcessGateway, startGateway } from "../../support/gateway.ts";
import { startProcess } from "../../support/processes.ts";
import { type RedisDatabase, redisDatabase } from "../../support/shared-redis.ts";
import { makeTempDir } from "../../support/temp-dir.ts";

const inRoot = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

function usher(args: readonly string[], env: Record<string, string> = {}) {
  const { PATH = "" } = process.env;
  const all = [inRoot("dist/main.js"), ...args];
  return startProcess({ name: "usher", command: process.execPath, args: all, env: { PATH, ...env } });
}

test("the version is told, with 0; a file with faults ends with 1 and all of them", async () => {
  const folder = await makeTempDir("faulty");
  const file = join(folder.path, "usher.yaml");
  await writeFile(
    file,
    "issuer: ftp://x\nrooms: [{ id: A }]\nclients: [{ client_id: a, room: nowhere }]\ncolour: red\n",
  );
  const { version } = JSON.parse(readFileSync(inRoot("package.json"), "utf8"));
  const faults = ["issuer", "rooms[0].id", "clients[0].redirect_uris", "clients[0].room", "colour"];
  for (const [args, code, words] of [
    [["--version"], 0, [`${version}\n`]],
    [["serve", "--config", file], 1, faults],
  ] as const) {
    const running = usher(args);
    expect((await running.exited).code).toBe(code);
    for (const each of words) expect(running.output()).toContain(each);
    expect(running.output()).not.toMatch(/\n\s+at /);
  }
  await folder.remove();
});

describe("a gateway of two workers", () => {
  let redis: RedisDatabase;
  let gateway: ProcessGateway;
  beforeAll(async () => {
    redis = await redisDatabase();
    const rooms = [{ id: "tickets", inlet: { type: "manual" }, joins_per_address: "off" }];
    const config = { workers: 2, listen: { drain: "10m" }, store: { type: "redis", url: redis.url }, rooms };
    gateway = await startGateway({ asProcess: true, config });
    await gateway.waitForOutput(/"event":"gateway\.started"/);
  });
  afterAll(async () => {
    await gateway?.stop();
    await redis?.refund();
  });

  function workers(): number[] {
    const { pid } = gateway.process();
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").map(Number);
    return children.filter((child) => {
      try {
        return readFileSync(`/proc/${child}/cmdline`, "utf8").includes("--worker");
      } catch {
        return false;
      }
    });
  }
  /** Each on a connection of its own, which the kernel gives to a worker that is free. */
  async function join(): Promise<number> {
    const headers = { connection: "close" };
    const answer = await fetch(`${gateway.origin}/rooms/tickets/tickets`, { method: "POST", headers });
    return ((await answer.json()) as { position: number }).position;
  }

  test("says once that it serves; one that is killed comes back, and no place is given twice", async () => {
    expect(gateway.output().match(/"event":"gateway\.started".*"workers":2/g)).toHaveLength(1);
    const before = await Promise.all(Array.from({ length: 10 }, join));
    const [victim = 0] = workers();
    process.kill(victim, "SIGKILL");
    await expect.poll(() => workers().filter((pid) => pid !== victim).length).toBe(2);
    await gateway.waitForOutput(/"event":"worker\.ended".*"signal":"SIGKILL"/);
    await gateway.waitForOutput(/"event":"worker\.started"/);
    const after = await Promise.all(Array.from({ length: 10 }, join));
    expect([...before, ...after].toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 1),
    );
  });

  test("goes on answering until it is told to stop again, and ends with both, and 0; a command that looks on ends at Ctrl-C", async () => {
    const watching = usher(["watch", "tickets"], { USHER_ADMIN: gateway.origin, USHER_ADMIN_API_KEY: ADMIN_KEY });
    await watching.waitForOutput(/tickets phase=/);
    watching.signal("SIGINT");
    expect(await watching.exited).toEqual({ code: 0, signal: null });

    const pids = workers();
    const running = gateway.process();
    running.signal("SIGTERM");
    await running.waitForOutput(/gateway\.draining/);
    expect((await fetch(`${gateway.origin}/healthz`)).status).toBe(200);
    // One that a launcher passes on at once says the same again.
    await delay(1_100);
    running.signal("SIGTERM");
    expect(await running.exited).toEqual({ code: 0, signal: null });
    expect(pids.filter((pid) => readdirSync("/proc").includes(String(pid)))).toEqual([]);
  });
});
