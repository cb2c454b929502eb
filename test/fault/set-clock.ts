/**
 * Goal: a clock of the store's host that is set by an hour, either way, costs nobody the place, the turn or the admission
 * (rules 1, 2 and 6), and opens no floodgate (rule 4).
 * Method: two real gateways on a private Redis whose clock is set forth, back and back again while people stand in the
 * line of `line`, are served, and are inside; `limited`, 600 a minute, has people ready to enter all the
 * time. All is looked at by the true clock.
 */
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import { createAdmin } from "../support/admin.ts";
import { startGateways } from "../support/gateway.ts";
import { createHttpClient } from "../support/http-client.ts";
import { startRedisWithClock } from "../support/redis-with-clock.ts";
import { crowdAtTheDoor } from "./crowd.ts";
import { haveHeard, until } from "./heard.ts";
import { clientOf, forEach, joinAll, type Person, visit } from "./people.ts";

export const hour = 3_600;
/** So much of a step forth may count as time that has passed. */
const believedSec = 5;

export interface SetClock {
  readonly offsetsSec: readonly number[];
  readonly hasCrowd: boolean;
  readonly asProcess: boolean;
}

/**
 * @param offsetsSec to which the clock is set, one after the other
 * @param hasCrowd whether people come to `limited` all the time, and are counted
 * @param asProcess whether the gateways are processes of their own
 */
export async function setClock({ offsetsSec, hasCrowd, asProcess }: SetClock): Promise<void> {
  const redis = await startRedisWithClock();
  const http = createHttpClient();
  const rooms = [
    { id: "line", inlet: { type: "manual" } },
    { id: "limited", inlet: { type: "manual", outflow_per_minute: 600 } },
  ];
  const gateways = await startGateways(2, {
    asProcess,
    config: { store: { type: "redis", url: redis.url }, rooms, clients: rooms.map(({ id }) => clientOf(id)) },
    env: { USHER_LOG_LEVEL: "warn" },
  });
  const origins = gateways.map(({ origin }) => origin);
  const admin = createAdmin(http, origins[0] ?? "");
  const numbers = async (room: string) => (await admin.request("PATCH", `/rooms/${room}`, {})).json();
  const hostClockSec = async () => Number(((await redis.command("TIME")) as string[])[0]);
  try {
    if (hasCrowd) await admin.increment("limited", 1_000_000);
    const people = await joinAll(http, origins, "line", 30);
    await admin.increment("line", 20);
    await haveHeard(http, origins, "line", { serving: 20 });
    /** On a busy machine an answer of the store may be too late for one visit; then the visitor comes again. */
    const come = async (person: Person, index: number) => {
      for (;;) {
        const answer = await visit(http, origins[index % 2] ?? "", person);
        if (answer.kind !== "notice" || answer.status !== 503) return answer;
        await delay(200);
      }
    };
    const enter = (from: number, to: number) =>
      forEach(people.slice(from, to), 5, async (person, index) => {
        const answer = await come(person, index);
        expect(answer, JSON.stringify(answer)).toMatchObject({ kind: "code" });
      });
    await enter(0, 5);
    const crowd = hasCrowd ? crowdAtTheDoor(http, origins, "limited") : undefined;
    await delay(1_000);

    let inside = 5;
    let last = 30;
    for (const offsetSec of offsetsSec) {
      const admittedBefore = crowd?.admittedAt.length ?? 0;
      const setAt = Date.now();
      await redis.setClock(offsetSec);
      expect(Math.abs((await hostClockSec()) - Date.now() / 1_000 - offsetSec)).toBeLessThan(60);
      await delay(5_000);
      const told = `${offsetSec} s`;

      // Who stands in line keeps the place; who is served and has not come may; who is inside stays.
      await forEach(people.slice(20), 5, async (person, index) => {
        const { position } = person;
        const answer = await come(person, index);
        expect(answer, told).toMatchObject({ kind: "parked", state: "waiting", position });
      });
      await enter(0, inside);
      await enter(inside, inside + 3);
      inside += 3;
      await until(async () => expect(await numbers("line")).toMatchObject({ serving: 20, live_admissions: inside }));
      const newcomers = await joinAll(http, origins, "line", 3);
      expect(newcomers.map(({ position }) => position)).toEqual([last + 1, last + 2, last + 3]);
      last += 3;

      if (crowd === undefined) continue;
      await expect.poll(() => crowd.admittedAt.length - admittedBefore, { message: told }).toBeGreaterThan(10);
      const admitted = crowd.admittedAt.length - admittedBefore;
      const mayCountSec = (Date.now() - setAt) / 1_000 + believedSec + 1;
      expect(admitted, told).toBeLessThanOrEqual(10 * mayCountSec);
    }
    await crowd?.stop();
    for (const { output } of gateways) expect(output()).not.toMatch(/"level":[56]0|uncaught|Unhandled/i);
  } finally {
    http.close();
    await Promise.all(gateways.map((gateway) => gateway.stop()));
    await redis.stop();
  }
}
