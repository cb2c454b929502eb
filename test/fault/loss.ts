/**
 * Goal: what is shown of rules 1, 2, 3, 4 and 6 when the store or processes are lost in the middle of a line.
 * Method: two real gateways on a private Redis. 300 people join the room `line`, 100 are served, 50 of them enter. The
 * room `limited` admits 600 a minute and has people ready to enter all the time. Then something is lost. Afterwards
 * every place and admission is looked for, newcomers are counted, and the admissions of `limited` are timed until
 * 65 s after all is ready again. The faults run side by side, each in a world of its own.
 */
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import { type Admin, createAdmin } from "../support/admin.ts";
import { haveRecovered, rememberedBy } from "../support/checkpoints.ts";
import { type ProcessGateway, startGateways } from "../support/gateway.ts";
import { createHttpClient, type HttpClient } from "../support/http-client.ts";
import { type RedisServer, startRedis } from "../support/redis-server.ts";
import { admissionTimes, mostInWindow } from "./admissions.ts";
import { crowdAtTheDoor } from "./crowd.ts";
import { areAnswered, haveHeard, until } from "./heard.ts";
import { clientOf, forEach, joinAll, type Person, visit } from "./people.ts";

interface Line {
  readonly http: HttpClient;
  readonly redis: RedisServer;
  readonly gateways: readonly [ProcessGateway, ProcessGateway];
  readonly origins: readonly string[];
}

export interface Fault {
  readonly name: string;
  /** Done between joining and the fault. */
  readonly prepare?: (line: Line) => Promise<Person[]>;
  /** Answers when the store lost its memory, if it did: after its last admission before, and before any that follows. */
  readonly strike: (line: Line) => Promise<number | undefined>;
}

/** @returns when it was, by the store's own clock: the answer may be long on its way */
async function wipe(redis: RedisServer): Promise<number> {
  const script = `
    redis.call("FLUSHALL")
    local now = redis.call("TIME")
    return now[1] * 1000 + math.floor(now[2] / 1000)`;
  return Number(await redis.command("EVAL", script, "0"));
}

export const faults: Fault[] = [
  {
    name: "one gateway is restarted",
    async strike({ gateways: [first] }) {
      await first.halt();
      await first.start();
      await first.waitUntilReady();
      return undefined;
    },
  },
  {
    name: "the store is emptied",
    async strike({ redis }) {
      return wipe(redis);
    },
  },
  {
    name: "Redis is put back from a snapshot that is 1,000 joins old",
    async prepare({ http, origins, redis }) {
      await redis.save();
      return joinAll(http, origins, "line", 1_000);
    },
    async strike({ redis }) {
      await redis.kill();
      const lostAt = Date.now();
      await redis.restore();
      return lostAt;
    },
  },
  {
    name: "one gateway is restarted between the wipe and the next request",
    async strike({ redis, gateways: [first] }) {
      await first.kill();
      const lostAt = await wipe(redis);
      await first.start();
      return lostAt;
    },
  },
  {
    name: "everything is killed and started again, Redis empty",
    async strike({ redis, gateways }) {
      await Promise.all(gateways.map((gateway) => gateway.kill()));
      const lostAt = Date.now();
      await redis.restart();
      await Promise.all(gateways.map((gateway) => gateway.start()));
      return lostAt;
    },
  },
];

/** @param timesLimit whether people come to `limited` and their admissions are timed, for more than a minute */
export async function loseInTheMiddle({ prepare, strike }: Fault, timesLimit: boolean): Promise<void> {
  const redis = await startRedis();
  const http = createHttpClient();
  const [first, second] = await startGateways(2, {
    asProcess: true,
    config: {
      store: { type: "redis", url: redis.url },
      rooms: [
        { id: "line", inlet: { type: "manual" } },
        { id: "limited", inlet: { type: "manual", outflow_per_minute: 600 } },
      ],
      clients: ["line", "limited"].map(clientOf),
    },
    env: { USHER_LOG_LEVEL: "warn" },
  });
  if (first === undefined || second === undefined) throw new Error("two gateways were asked for");
  const line: Line = { http, redis, gateways: [first, second], origins: [first.origin, second.origin] };
  try {
    const admin = createAdmin(http, second.origin);
    await admin.increment("limited", 1_000_000);
    const crowd = timesLimit ? crowdAtTheDoor(http, line.origins, "limited") : undefined;
    const people = await joinAll(http, line.origins, "line", 300);
    expect(people.map(({ position }) => position)).toEqual(Array.from({ length: 300 }, (_, index) => index + 1));
    await admin.increment("line", 100);
    await haveHeard(http, line.origins, "line", { serving: 100 });
    const subs = people.slice(0, 50);
    await forEach(subs, 8, async (person, index) => {
      expect(await visit(http, line.origins[index % 2] ?? "", person)).toMatchObject({ kind: "code" });
    });
    const later = (await prepare?.(line)) ?? [];
    const joined = people.length + later.length;
    for (const gateway of line.gateways) {
      await until(async () => {
        const { serving, queued } = (await rememberedBy(gateway, "line")) ?? {};
        expect([serving, Number(queued) >= joined]).toEqual([100, true]);
      });
    }

    const pids = line.gateways.map((gateway) => gateway.process().pid);
    const lostAt = await strike(line);
    await first.waitUntilReady();
    await second.waitUntilReady();
    const readyAt = Date.now();
    for (const room of ["line", "limited"]) {
      // Whoever was started anew has heard of nothing else.
      const survivors = line.gateways.filter((gateway, index) => gateway.process().pid === pids[index]);
      if (lostAt !== undefined) await haveRecovered(survivors, room);
      await areAnswered(http, line.origins, room);
    }

    // Everyone still has their place, and nobody behind the serving counter is in early.
    const waiting = [...people.slice(100), ...later];
    await forEach(waiting, 32, async (person, index) => {
      const { position } = person;
      const answer = await visit(http, line.origins[index % 2] ?? "", person);
      expect(answer, `${JSON.stringify(answer)} at ${index % 2}`).toMatchObject({
        kind: "parked",
        state: "waiting",
        position,
      });
    });
    // Admissions are kept, and those who were served may enter.
    await forEach(people.slice(0, 100), 8, async (person, index) => {
      expect(await visit(http, line.origins[(index + 1) % 2] ?? "", person)).toMatchObject({ kind: "code" });
    });
    // No position is handed out twice.
    const newcomers = await joinAll(http, line.origins, "line", 200);
    const positions = [...people, ...later, ...newcomers].map(({ position }) => position);
    expect(new Set(positions).size).toBe(positions.length);
    expect(newcomers[0]?.position).toBeGreaterThan(Math.max(...people.map(({ position }) => position)));

    if (crowd !== undefined) await expectLimitToHold(crowd, admin, readyAt, lostAt);
    for (const { output } of [first, second]) expect(output()).not.toMatch(/"level":60|uncaught|Unhandled/i);
  } finally {
    http.close();
    await Promise.all([first.stop(), second.stop()]);
    await redis.stop();
  }
}

/** Over the loss, if there was one, and until 65 s after all is ready again. */
async function expectLimitToHold(
  crowd: ReturnType<typeof crowdAtTheDoor>,
  admin: Admin,
  readyAt: number,
  lostAt: number | undefined,
): Promise<void> {
  await delay(Math.max(0, readyAt + 66_000 - Date.now()));
  await until(async () => expect((await admissionTimes(admin, "limited")).at(-1)).toBeGreaterThan(lostAt ?? 0));
  await crowd.stop();
  expect(crowd.admittedAt.length).toBeGreaterThan(20);
  // By the store's own clock, and only new admissions: somebody whose answer was lost is let in again.
  const admissions = await admissionTimes(admin, "limited");
  expect(mostInWindow(admissions, 60_000)).toBeLessThanOrEqual(600);
  if (lostAt !== undefined) {
    const afterLoss = admissions.filter((at) => at > lostAt);
    expect(afterLoss.length).toBeGreaterThan(0);
    expect(Math.min(...afterLoss) - lostAt).toBeGreaterThanOrEqual(60_000);
  }
}
