/**
 * Goal: what is shown of rules 1, 2, 3, 4 and 6 when the store or processes are lost in the middle of a line.
 * Method: two real gateways on a private Redis. People join the room `line`, some are served, half of these enter. The
 * room `limited` admits 600 a minute and has people ready to enter all the time. Then something is lost. Afterwards
 * every place and admission is looked for, newcomers are counted, and the admissions of `limited` are timed until
 * 65 s after all is ready again. The faults run side by side, each in a world of its own.
 */
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import { type Admin, createAdmin } from "../support/admin.ts";
import { haveRecovered, rememberedBy } from "../support/checkpoints.ts";
import { type Gateway, type ProcessGateway, startGateways } from "../support/gateway.ts";
import { createHttpClient, type HttpClient } from "../support/http-client.ts";
import { type RedisServer, startRedis } from "../support/redis-server.ts";
import { admissionTimes, mostInWindow } from "./admissions.ts";
import { crowdAtTheDoor } from "./crowd.ts";
import { areAnswered, haveHeard, until } from "./heard.ts";
import { clientOf, forEach, joinAll, type Person, visit } from "./people.ts";

interface Line<G extends Gateway> {
  readonly http: HttpClient;
  readonly redis: RedisServer;
  readonly gateways: readonly [G, G];
  readonly origins: readonly string[];
}

export interface Fault<G extends Gateway> {
  readonly name: string;
  /** Done between joining and the fault. */
  readonly prepare?: (line: Line<G>) => Promise<Person[]>;
  /** Answers when the store lost its memory, if it did: after its last admission before, and before any that follows. */
  readonly strike: (line: Line<G>) => Promise<number | undefined>;
  /** So many gateways, the first ones, run anew after it; default 0. */
  readonly startedAnew?: number;
}

/** @returns when it was, by the store's own clock: the answer may be long on its way */
async function wipe(redis: RedisServer): Promise<number> {
  const script = `
    redis.call("FLUSHALL")
    local now = redis.call("TIME")
    return now[1] * 1000 + math.floor(now[2] / 1000)`;
  return Number(await redis.command("EVAL", script, "0"));
}

export const storeEmptied: Fault<Gateway> = {
  name: "the store is emptied",
  strike: ({ redis }) => wipe(redis),
};

/** Some are of processes. */
export const faults: Fault<ProcessGateway>[] = [
  {
    name: "one gateway is restarted",
    startedAnew: 1,
    async strike({ gateways: [first] }) {
      await first.halt();
      await first.start();
      await first.waitUntilReady();
      return undefined;
    },
  },
  storeEmptied,
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
    startedAnew: 1,
    async strike({ redis, gateways: [first] }) {
      await first.kill();
      const lostAt = await wipe(redis);
      await first.start();
      return lostAt;
    },
  },
  {
    name: "everything is killed and started again, Redis empty",
    startedAnew: 2,
    async strike({ redis, gateways }) {
      await Promise.all(gateways.map((gateway) => gateway.kill()));
      const lostAt = Date.now();
      await redis.restart();
      await Promise.all(gateways.map((gateway) => gateway.start()));
      return lostAt;
    },
  },
];

/** How many join, are served of these, enter of those, and come after the loss. */
export interface Crowd {
  readonly joins: number;
  readonly served: number;
  readonly inside: number;
  readonly newcomers: number;
}

const options = (redis: RedisServer) => ({
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

/** In gateways of this process. */
export function loseHere(fault: Fault<Gateway>, crowd: Crowd): Promise<void> {
  return loseInTheMiddle(fault, crowd, (redis) => startGateways(2, options(redis)), false);
}

/** In processes; people come to `limited`, too, and their admissions are timed for more than a minute. */
export function loseInProcesses(fault: Fault<ProcessGateway>, crowd: Crowd): Promise<void> {
  return loseInTheMiddle(fault, crowd, (redis) => startGateways(2, { ...options(redis), asProcess: true }), true);
}

async function loseInTheMiddle<G extends Gateway>(
  { prepare, strike, startedAnew = 0 }: Fault<G>,
  { joins, served, inside, newcomers: newcomerCount }: Crowd,
  start: (redis: RedisServer) => Promise<G[]>,
  timesLimit: boolean,
): Promise<void> {
  const redis = await startRedis();
  const http = createHttpClient();
  const [first, second] = await start(redis);
  if (first === undefined || second === undefined) throw new Error("two gateways were asked for");
  const line: Line<G> = { http, redis, gateways: [first, second], origins: [first.origin, second.origin] };
  try {
    const admin = createAdmin(http, second.origin);
    await admin.increment("limited", 1_000_000);
    const crowd = timesLimit ? crowdAtTheDoor(http, line.origins, "limited") : undefined;
    const people = await joinAll(http, line.origins, "line", joins);
    expect(people.map(({ position }) => position)).toEqual(Array.from({ length: joins }, (_, index) => index + 1));
    await admin.increment("line", served);
    await haveHeard(http, line.origins, "line", { serving: served });
    const subs = people.slice(0, inside);
    await forEach(subs, 8, async (person, index) => {
      expect(await visit(http, line.origins[index % 2] ?? "", person)).toMatchObject({ kind: "code" });
    });
    const later = (await prepare?.(line)) ?? [];
    const joined = people.length + later.length;
    for (const gateway of line.gateways) {
      await until(async () => {
        const { serving, queued } = (await rememberedBy(gateway, "line")) ?? {};
        expect([serving, Number(queued) >= joined]).toEqual([served, true]);
      });
    }

    const lostAt = await strike(line);
    await first.waitUntilReady();
    await second.waitUntilReady();
    const readyAt = Date.now();
    for (const room of ["line", "limited"]) {
      // Whoever was started anew has heard of nothing else.
      const survivors = line.gateways.slice(startedAnew);
      if (lostAt !== undefined) await haveRecovered(survivors, room);
      await areAnswered(http, line.origins, room);
    }

    // Everyone still has their place, and nobody behind the serving counter is in early.
    const waiting = [...people.slice(served), ...later];
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
    await forEach(people.slice(0, served), 8, async (person, index) => {
      expect(await visit(http, line.origins[(index + 1) % 2] ?? "", person)).toMatchObject({ kind: "code" });
    });
    // No position is handed out twice.
    const newcomers = await joinAll(http, line.origins, "line", newcomerCount);
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
