// Long: watches a line from outside for minutes.
/**
 * Goal: rules 4 and 10 as somebody sees them who stands outside: two gateways on one Redis, people who poll as the page
 * does, and three in ten who never come when it is their turn.
 * Method: real processes, real HTTP; an admission was made between the request and the arrival of the code.
 */
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Gateway, startGateways } from "../support/gateway.ts";
import { createHttpClient } from "../support/http-client.ts";
import { type RedisServer, startRedis } from "../support/redis-server.ts";
import { type Entry, fewestPossible, mostForCertain } from "./admissions.ts";
import { clientOf, joinAll, type Person, visit } from "./people.ts";

const room = "flow";
const limit = 120;
/** So often the process looks whether it has stood still. */
const everyMs = 50;
const count = 300;
const http = createHttpClient({ connectionsMax: 250 });
let redis: RedisServer;
let gateways: Gateway[];

beforeAll(async () => {
  redis = await startRedis();
  gateways = await startGateways(2, {
    asProcess: true,
    config: {
      store: { type: "redis", url: redis.url },
      rooms: [
        { id: room, inlet: { type: "periodic", outflow_per_minute: limit } },
        { id: "first", inlet: { type: "manual" } },
      ],
      clients: [room, "first"].map(clientOf),
    },
    env: { USHER_LOG_LEVEL: "warn" },
  });
  // What a process answers first takes long, and would be measured as a late admission.
  const origins = gateways.map(({ origin }) => origin);
  await joinAll(http, origins, "first", count);
});

afterAll(async () => {
  http.close();
  await Promise.all(gateways.map((gateway) => gateway.stop()));
  await redis.stop();
});

interface Waited extends Entry {
  readonly position: number;
  /** When the person could know that it is their turn. */
  readonly servedAt: number;
}

test("300 people, three in ten of them absent: no window exceeds the limit, and hardly any of it is lost", {
  timeout: 240_000,
}, async () => {
  const stillness = watchStillness();
  const origins = gateways.map(({ origin }) => origin);
  const originOf = (index: number) => origins[index % origins.length] ?? "";
  const startedAt = Date.now();
  const people = await joinAll(http, origins, room, count);
  const passedAtOnce = people.flatMap(({ entry }) => entry ?? []);
  const present = people.filter(({ entry }, index) => entry === null && index % 10 >= 3);
  const waited = await Promise.all(present.map((person, index) => waitAndEnter(originOf(index), person)));

  const entries: Entry[] = [...passedAtOnce, ...waited];
  const lastAt = Math.max(...entries.map(({ enteredAt }) => enteredAt));
  expect(mostForCertain(entries, 60_000)).toBeLessThanOrEqual(limit);
  expect(mostForCertain(entries, 2_000)).toBeLessThanOrEqual(limit / 10);
  // As long as people were there; the last ones in line are too few to fill a minute.
  const [from, to] = [startedAt + 4_000, lastAt - 3_000];
  // What the machine lost, in people.
  const lost = (limit / 60_000) * stillness.end();
  const used = entries.filter(({ enteredAt }) => enteredAt >= from && enteredAt < to).length;
  expect((used + lost) / ((limit / 60_000) * (to - from))).toBeGreaterThanOrEqual(0.98);
  // The worst of all minutes, not the usual one: it may lack as many again, since who is late in it comes in the next.
  expect(fewestPossible(entries, 60_000, from, to)).toBeGreaterThanOrEqual(Math.floor(0.96 * limit - lost));
  const atTheDoor = waited.map(({ servedAt, enteredAt }) => enteredAt - servedAt).sort((a, b) => a - b);
  expect(atTheDoor.at(Math.floor(0.99 * atTheDoor.length))).toBeLessThanOrEqual(15_000);
  // In order, but for those who looked a few seconds later than the next one.
  const byEntry = waited.toSorted((a, b) => a.enteredAt - b.enteredAt).map(({ position }) => position);
  const jumps = byEntry.map((position, index) => Math.abs(present.findIndex((p) => p.position === position) - index));
  expect(Math.max(...jumps)).toBeLessThanOrEqual(limit / 4);
});

/**
 * A machine that stands still for more than a second loses what no limiter may give back.
 *
 * @returns `end` answers for how many milliseconds this process has stood still, in pauses of more than a second
 */
function watchStillness() {
  let stillMs = 0;
  let lastMs = performance.now();
  const timer = setInterval(() => {
    const nowMs = performance.now();
    const pauseMs = nowMs - lastMs - everyMs;
    if (pauseMs > 1_000) stillMs += pauseMs;
    lastMs = nowMs;
  }, everyMs);
  return {
    end(): number {
      clearInterval(timer);
      return stillMs;
    },
  };
}

/** As the page does: by the public status, and, while held, after the time that each answer gives. */
async function waitAndEnter(origin: string, person: Person): Promise<Waited> {
  let servedAt = 0;
  for (;;) {
    const answer = await http.get(`${origin}/rooms/${person.room}/status`);
    const { serving } = answer.json() as { serving: number };
    if (serving >= person.position) {
      servedAt ||= Date.now();
      const askedAt = Date.now();
      const door = await visit(http, origin, person);
      if (door.kind === "code") return { position: person.position, servedAt, askedAt, enteredAt: Date.now() };
      if (door.kind === "notice") throw new Error(`position ${person.position}: ${JSON.stringify(door)}`);
      await delay(door.retryMs || 500);
    } else await delay(2_000 * (0.7 + 0.6 * Math.random()));
  }
}
