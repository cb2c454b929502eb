/**
 * A sale by the home of another waiting room. Goal: rules 1, 3, 4 and 6 hold for visitors who come by the home, when a gateway is killed, the store is
 * emptied and the room is reset in the middle of it.
 * Method: two gateways, as processes, on a private Redis. 300 people come into `line`; 100 are served, 50 of these enter. People are
 * at the door of `limited` (600 a minute) all the time. Each fault is followed by a look for every place and every visitor's id at the site.
 */
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import { createAdmin } from "../support/admin.ts";
import { haveRecovered } from "../support/checkpoints.ts";
import { startGateways } from "../support/gateway.ts";
import { createHttpClient, type HttpClient } from "../support/http-client.ts";
import { startRedis } from "../support/redis-server.ts";
import { admissionTimes, mostInWindow } from "./admissions.ts";
import { areAnswered, haveHeard, until } from "./heard.ts";
import { forEach } from "./people.ts";

const joins = 300;
const served = 100;
const inside = 50;

export type SaleAnswer =
  | { readonly kind: "in"; readonly id: string }
  | { readonly kind: "parked"; readonly position: number; readonly state: string; readonly retryMs: number }
  | { readonly kind: "other"; readonly what: string; readonly retryMs: number };

/** How people come by a home. */
export interface HomeOfSale<Shopper> {
  /** One of `line` and `limited`. */
  readonly settings: object;
  /** Laid over the configuration. */
  readonly config: object;
  newShopper(room: string): Shopper;
  /** The shopper comes, or comes again. */
  shop(http: HttpClient, origin: string, shopper: Shopper): Promise<SaleAnswer>;
}

export async function playSale<Shopper>(home: HomeOfSale<Shopper>): Promise<void> {
  const redis = await startRedis();
  const http = createHttpClient();
  const [first, second] = await startGateways(2, {
    asProcess: true,
    config: {
      store: { type: "redis", url: redis.url },
      rooms: [
        { id: "line", inlet: { type: "manual" }, ...home.settings },
        { id: "limited", inlet: { type: "manual", outflow_per_minute: 600 }, ...home.settings },
      ],
      ...home.config,
    },
    env: { USHER_LOG_LEVEL: "warn" },
  });
  if (first === undefined || second === undefined) throw new Error("two gateways were asked for");
  const origins = [first.origin, second.origin];
  const at = (index: number) => origins[index % 2] ?? "";
  const admin = createAdmin(http, second.origin);
  const people: { readonly shopper: Shopper; readonly position: number }[] = [];
  const join = async (count: number) => {
    const newcomers: (typeof people)[number][] = [];
    await forEach(Array.from({ length: count }), 32, async (_, index) => {
      newcomers.push(await joinLine(home, http, at(index)));
    });
    return newcomers.sort((one, other) => one.position - other.position);
  };
  /** Of the first people, by their order. */
  const ids = new Map<number, string>();
  const expectNothingLost = async () => {
    await forEach(people, 16, async ({ shopper, position }, index) => {
      const answer = await home.shop(http, at(index + 1), shopper);
      if (position > served) return expect(answer).toMatchObject({ kind: "parked", state: "waiting", position });
      if (answer.kind !== "in") throw new Error(`${position} was served: ${JSON.stringify(answer)}`);
      // Those who were served and had not come yet enter now.
      if (!ids.has(index)) ids.set(index, answer.id);
      expect(answer.id).toBe(ids.get(index));
    });
  };
  try {
    await admin.increment("limited", 1_000_000);
    const leaveTheDoor = shoppersAtTheDoor(home, http, origins);
    people.push(...(await join(joins)));
    expect(people.map(({ position }) => position)).toEqual(Array.from({ length: joins }, (_, index) => index + 1));
    await admin.increment("line", served);
    await haveHeard(http, origins, "line", { serving: served });
    await forEach(people.slice(0, inside), 8, async ({ shopper }, index) => {
      const answer = await home.shop(http, at(index), shopper);
      if (answer.kind !== "in") throw new Error(JSON.stringify(answer));
      ids.set(index, answer.id);
    });
    expect(new Set(ids.values()).size).toBe(inside);

    await first.kill();
    // Those whose gateway is gone are at the other one.
    await forEach(people.slice(served, served + 50), 16, async ({ shopper, position }) => {
      expect(await home.shop(http, second.origin, shopper)).toMatchObject({ kind: "parked", position });
    });
    await first.start();
    await first.waitUntilReady();
    await haveHeard(http, origins, "line", { serving: served });
    await expectNothingLost();

    const lostAt = Number(
      await redis.command("EVAL", 'redis.call("FLUSHALL") return redis.call("TIME")[1] * 1000', "0"),
    );
    for (const room of ["line", "limited"]) {
      await haveRecovered([first, second], room);
      await areAnswered(http, origins, room);
    }
    await expectNothingLost();
    const newcomers = await join(100);
    const positions = [...people, ...newcomers].map(({ position }) => position);
    expect(new Set(positions).size).toBe(positions.length);
    expect(newcomers[0]?.position).toBeGreaterThan(joins);

    await admin.step("line", "reset");
    await haveHeard(http, origins, "line", { serving: 0 });
    // Who was in is in; all others stand in the new line, each at a place of their own.
    const places: number[] = [];
    await forEach(people, 16, async ({ shopper }, index) => {
      const answer = await home.shop(http, at(index), shopper);
      if (answer.kind === "parked") places.push(answer.position);
      else expect([index, answer]).toEqual([index, expect.objectContaining({ id: ids.get(index) })]);
    });
    expect(new Set(ids.values()).size).toBe(served);
    expect(places.length).toBe(joins - served);
    expect(new Set(places).size).toBe(places.length);
    expect(Math.max(...places)).toBe(places.length);

    // The limit, over the kill and the loss and for a minute after the hold that follows it.
    await delay(Math.max(0, lostAt + 126_000 - Date.now()));
    await until(async () => expect((await admissionTimes(admin, "limited")).at(-1)).toBeGreaterThan(lostAt));
    await leaveTheDoor();
    const admissions = await admissionTimes(admin, "limited");
    expect(mostInWindow(admissions, 60_000)).toBeLessThanOrEqual(600);
    const afterLoss = admissions.filter((each) => each > lostAt + 1_000);
    expect(afterLoss.length).toBeGreaterThan(100);
    expect(Math.min(...afterLoss) - lostAt).toBeGreaterThanOrEqual(60_000);
    for (const { output } of [first, second]) expect(output()).not.toMatch(/"level":60|uncaught|Unhandled/i);
  } finally {
    http.close();
    await Promise.all([first.stop(), second.stop()]);
    await redis.stop();
  }
}

/** Joins, coming back as long as nobody can be given a place. */
async function joinLine<Shopper>(home: HomeOfSale<Shopper>, http: HttpClient, origin: string) {
  const shopper = home.newShopper("line");
  for (let tries = 0; tries < 120; tries++) {
    const answer = await home.shop(http, origin, shopper).catch(() => null);
    if (answer?.kind === "parked") return { shopper, position: answer.position };
    if (answer?.kind === "in") throw new Error("the shopper was let in without a line");
    await delay(500);
  }
  throw new Error("no place in line");
}

/** People who want to enter a room whose line has been served, five at a time, until stopped. */
function shoppersAtTheDoor<Shopper>(home: HomeOfSale<Shopper>, http: HttpClient, origins: readonly string[]) {
  let isOver = false;
  const workers = Array.from({ length: 5 }, async (_, index) => {
    while (!isOver) {
      const shopper = home.newShopper("limited");
      for (let turn = 0; !isOver; turn++) {
        // A gateway that is down answers nothing; the next one is asked.
        const answer = await home.shop(http, origins[(index + turn) % origins.length] ?? "", shopper).catch(() => null);
        if (answer?.kind === "in") break;
        await delay(answer !== null && answer.retryMs > 0 ? answer.retryMs : 200);
      }
    }
  });
  return async () => {
    isOver = true;
    await Promise.all(workers);
  };
}
