// Long: processes killed at random and restarted under load; process.test.ts kills one of two workers once.
/** One gateway of two processes with a real Redis: both serve, either may be killed, and all are restarted in turn while visitors come. */
import { readdirSync, readFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ADMIN_KEY, type ProcessGateway, startGateway } from "../support/gateway.ts";
import { type RedisServer, startRedis } from "../support/redis-server.ts";
import { createSeededRandom } from "../support/seeded-random.ts";

const room = "tickets";

describe("a gateway of two workers", () => {
  let redis: RedisServer;
  let gateway: ProcessGateway;

  beforeAll(async () => {
    redis = await startRedis();
    gateway = await startGateway({
      asProcess: true,
      config: {
        workers: 2,
        listen: { drain: "1s" },
        store: { type: "redis", url: redis.url },
        rooms: [{ id: room, inlet: { type: "manual" }, joins_per_address: "off" }],
      },
    });
    await gateway.waitForOutput(/"event":"gateway\.started"/);
  });
  afterAll(async () => {
    await gateway?.stop();
    await redis?.stop();
  });

  test("says once that it serves, and counts what both have done", async () => {
    expect(gateway.output().match(/"event":"gateway\.started".*"workers":2/g)).toHaveLength(1);
    // The kernel gives each connection to a worker that is free just then: kept ones may all be at one.
    const crowd = startCrowd(gateway.origin, 8, "close");
    const busy = async () => (await processes()).filter((each) => each.requests_per_second > 1).map(({ name }) => name);
    const name = `${hostname()}-${gateway.port}`;
    await expect
      .poll(async () => (await busy()).sort())
      .toEqual([name, `${name}-2`])
      .finally(crowd.stop);
    const { places, failures } = await crowd.stop();
    expect(failures).toEqual([]);
    await expect.poll(() => figure("usher_joins_total")).toBe(places.length);
    // What both know of the room is not added up.
    await expect.poll(() => figure("usher_queued")).toBe(places.length);
    expect(await figure("usher_workers")).toBe(2);
    const files = readdirSync(join(dirname(gateway.secretsFile), "checkpoints"));
    expect(files).toEqual(expect.arrayContaining([`${name}.json`, `${name}-2.json`]));
  });

  test("whose workers are killed at random under load loses no place and gives none twice, and each comes back", async () => {
    const seed = String(Date.now());
    const random = createSeededRandom(seed);
    const crowd = startCrowd(gateway.origin, 8);
    for (let kill = 0; kill < 3; kill++) {
      await delay(300 + 700 * random.fraction());
      await expect.poll(() => workersOf(gateway).length).toBe(2);
      const victim = workersOf(gateway)[Math.floor(2 * random.fraction())] ?? 0;
      process.kill(victim, "SIGKILL");
      await expect.poll(() => workersOf(gateway).includes(victim)).toBe(false);
      await expect.poll(() => figure("usher_workers").catch(() => 0)).toBe(2);
    }
    const { places } = await crowd.stop();
    expect(places.length, `seed ${seed}`).toBeGreaterThan(100);
    expect(new Set(places.map(({ position }) => position)).size, `seed ${seed}`).toBe(places.length);
    for (const { ticket, position } of places) {
      const status = await fetch(`${gateway.origin}/rooms/${room}/tickets/me`, {
        headers: { authorization: `Bearer ${ticket}` },
      });
      expect(await status.json(), `seed ${seed}`).toMatchObject({ state: "waiting", position });
    }
    expect(gateway.output().match(/"event":"worker\.ended".*"signal":"SIGKILL"/g)).toHaveLength(3);
    // A join whose answer was lost has taken its position all the same.
    expect(await figure("usher_queued")).toBeGreaterThanOrEqual(Math.max(...places.map(({ position }) => position)));
  });

  test("is restarted in turn by SIGUSR2 without a failed request, and is ready all the while", async () => {
    const old = workersOf(gateway);
    const before = await figure("usher_joins_total");
    const crowd = startCrowd(gateway.origin, 8);
    await delay(300);
    gateway.process().signal("SIGUSR2");
    const atOnce: number[] = [];
    while (!gateway.output().includes('"event":"workers.restarted"')) {
      atOnce.push(workersOf(gateway).length);
      expect((await fetch(`${gateway.origin}/readyz`)).status).toBe(200);
      await delay(20);
    }
    const { places, failures } = await crowd.stop();
    expect(failures).toEqual([]);
    expect(places.length).toBeGreaterThan(100);
    expect(new Set(places.map(({ position }) => position)).size).toBe(places.length);
    expect(workersOf(gateway)).toHaveLength(2);
    expect(workersOf(gateway).filter((pid) => old.includes(pid))).toEqual([]);
    expect([Math.min(...atOnce), Math.max(...atOnce)]).toEqual([2, 3]);
    // What workers have counted that have ended in order is in the sum, to the last.
    expect(await figure("usher_joins_total")).toBe(before + places.length);
  });

  test("ends with both, and 0, by SIGTERM", async () => {
    const pids = workersOf(gateway);
    const crashes = gateway.output().match(/"event":"worker\.ended"/g)?.length;
    const { code } = await gateway.halt();
    expect(code).toBe(0);
    expect(pids.filter((pid) => readdirSync("/proc").includes(String(pid)))).toEqual([]);
    expect(gateway.output().match(/"event":"worker\.ended"/g)?.length).toBe(crashes);
  });

  /** As each says of itself every three seconds. */
  async function processes(): Promise<{ name: string; requests_per_second: number }[]> {
    const headers = { authorization: `Bearer ${ADMIN_KEY}` };
    const health = await (await fetch(`${gateway.origin}/admin/health`, { headers })).json();
    return (health as { processes: { name: string; requests_per_second: number }[] }).processes;
  }

  /** Of `/metrics`, at whichever worker answers. */
  async function figure(name: string): Promise<number> {
    const text = await (await fetch(`${gateway.origin}/metrics`)).text();
    return Number(text.match(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, "m"))?.[1]);
  }
});

test("a first worker that cannot start ends the gateway, and says why once", async () => {
  const config = {
    workers: 2,
    store: { type: "redis", url: "redis://127.0.0.1:1" },
    rooms: [{ id: room }],
    locales: "nowhere",
  };
  const failed = startGateway({ asProcess: true, config, waitUntilReady: false });
  await expect(failed).rejects.toThrow(/ended \(1\)/);
  const message = await failed.then(
    () => "",
    (error: Error) => error.message,
  );
  expect(message).not.toContain("gateway.started");
  expect(message.match(/nowhere/g)).toHaveLength(1);
});

function workersOf(gateway: ProcessGateway): number[] {
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

interface Place {
  readonly ticket: string;
  readonly position: number;
}

/** Visitors who join one after the other, each on the connection of the one before, or on one of their own. */
function startCrowd(origin: string, size: number, connection: "keep-alive" | "close" = "keep-alive") {
  const places: Place[] = [];
  const failures: string[] = [];
  let isOver = false;
  const walkers = Array.from({ length: size }, async () => {
    let last = 0;
    while (!isOver) {
      try {
        const answer = await fetch(`${origin}/rooms/${room}/tickets`, { method: "POST", headers: { connection } });
        const place = (await answer.json()) as Place;
        if (answer.status !== 201) failures.push(`${answer.status}`);
        else {
          // Whoever comes later stands later, at whichever worker.
          if (place.position <= last) failures.push(`${place.position} after ${last}`);
          last = place.position;
          places.push(place);
        }
      } catch (error) {
        failures.push(String((error as Error).cause ?? error));
      }
      await delay(10);
    }
  });
  return {
    async stop() {
      isOver = true;
      await Promise.all(walkers);
      return { places, failures };
    },
  };
}
