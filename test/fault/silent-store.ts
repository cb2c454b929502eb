/**
 * Goal: while Redis is silent, newcomers are answered at once, and all is as before soon after it speaks again.
 * Method: a real gateway whose Redis hangs, or answers later than a command is waited for; its connection stays up.
 */
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { createAdmin } from "../support/admin.ts";
import { startCuttingProxy } from "../support/cutting-proxy.ts";
import { startGateway } from "../support/gateway.ts";
import { createHttpClient } from "../support/http-client.ts";
import { startRedis } from "../support/redis-server.ts";
import { haveHeard, until } from "./heard.ts";
import { clientOf, joinAll, newPerson, type Person, visit } from "./people.ts";

/** A command is given up on after two seconds. */
const timeoutMs = 2_000;

async function startLine(asProcess: boolean, atEnd: (cleanup: () => Promise<void> | void) => unknown) {
  const redis = await startRedis();
  atEnd(() => redis.stop());
  const proxy = await startCuttingProxy(redis.port);
  atEnd(() => proxy.close());
  const http = createHttpClient();
  atEnd(() => http.close());
  const gateway = await startGateway({
    asProcess,
    config: {
      store: { type: "redis", url: `redis://127.0.0.1:${proxy.port}` },
      rooms: [{ id: "line", inlet: { type: "manual" } }],
      clients: [clientOf("line")],
    },
  });
  atEnd(() => gateway.stop());
  const { origin } = gateway;
  const admin = createAdmin(http, origin);

  async function metric(name: string): Promise<number> {
    const { body } = await http.get(`${origin}/metrics`);
    return Number(new RegExp(`^${name} (.*)$`, "m").exec(body)?.[1]);
  }
  async function commandsSent(): Promise<number> {
    const { body } = await http.get(`${origin}/metrics`);
    const counts = [...body.matchAll(/^usher_store_commands_total\{command="(?!check-server")[^"]*"\} (\d+)$/gm)];
    return counts.reduce((sum, [, count]) => sum + Number(count), 0);
  }
  return { redis, proxy, http, gateway, origin, admin, metric, commandsSent };
}

type Line = Awaited<ReturnType<typeof startLine>>;

interface Way {
  readonly name: string;
  readonly fail: (line: Line) => void;
  readonly mend: (line: Line) => void;
}

export const hangs: Way = {
  name: "hangs",
  fail: ({ redis }) => redis.freeze(),
  mend: ({ redis }) => redis.thaw(),
};

export const answersLate: Way = {
  name: "answers later than it is waited for",
  fail: ({ proxy }) => proxy.delayReplies(timeoutMs + 200),
  mend: ({ proxy }) => proxy.delayReplies(0),
};

/**
 * @param rounds how often newcomers and others ask while it is silent
 * @param asProcess whether the gateway is a process of its own
 */
export function describeSilence(
  ways: readonly Way[],
  { rounds, asProcess }: { rounds: number; asProcess: boolean },
): void {
  test.concurrent.for(ways)(
    "Redis $name: the first newcomers wait, the others hear at once to come again",
    async (way, { onTestFinished }) => {
      const line = await startLine(asProcess, onTestFinished);
      const { http, gateway, origin, admin, metric, commandsSent } = line;
      const people = await joinAll(http, [origin], "line", 10);
      await admin.increment("line", 2);
      await haveHeard(http, [origin], "line", { queued: 10, serving: 2 });
      expect([await metric("usher_store_breaker_state"), await metric("usher_store_breaker_opened_total")]).toEqual([
        0, 0,
      ]);

      way.fail(line);
      const first = newPerson("line");
      expect(await visit(http, origin, first)).toMatchObject({
        kind: "notice",
        status: 503,
        code: "store_unavailable",
      });
      await until(async () => expect(await metric("usher_store_breaker_opened_total")).toBe(1));

      const sent = await commandsSent();
      const newcomers: Person[] = [];
      const durations: number[] = [];
      for (let round = 0; round < rounds; round++) {
        const newcomer = newPerson("line");
        newcomers.push(newcomer);
        const sinceMs = performance.now();
        const answer = await visit(http, origin, newcomer);
        durations.push(performance.now() - sinceMs);
        expect(answer).toMatchObject({ kind: "notice", status: 503, code: "store_unavailable" });
        const joined = await http.request(`${origin}/rooms/line/tickets`, { method: "POST" });
        expect([joined.status, joined.json()]).toMatchObject([503, { error: "store_unavailable" }]);
        expect(Number(joined.header("retry-after"))).toBeGreaterThan(0);
        expect(await visit(http, origin, people[5] as Person)).toMatchObject({
          kind: "parked",
          position: 6,
          state: "store_away",
        });
        // Served before: the turn is kept.
        expect(await visit(http, origin, people[0] as Person)).toMatchObject({ kind: "parked", position: 1 });
        const status = await http.get(`${origin}/rooms/line/status`);
        expect([status.status, status.json()]).toMatchObject([200, { queued: 10, serving: 2, availability: "away" }]);
        const step = await admin.request("POST", "/rooms/line/serving", { increment_by: 5 });
        expect([step.status, Number(step.header("retry-after"))]).toEqual([503, 2]);
        await delay(50);
      }
      const [typicalMs = 0, mostMs = 0] = [0.5, 1].map(
        (part) => durations.toSorted((a, b) => a - b)[Math.ceil(part * rounds) - 1],
      );
      console.log(`${rounds} newcomers: ${typicalMs.toFixed(1)} ms (median), ${mostMs.toFixed(1)} ms (most)`);
      expect(await metric("usher_store_breaker_state")).toBeGreaterThan(0);
      // Nothing but probes: nobody waited for it.
      expect(await commandsSent()).toBe(sent);

      way.mend(line);
      await until(async () => expect(await metric("usher_store_breaker_state")).toBe(0));
      await haveHeard(http, [origin], "line", { availability: "ready", queued: expect.any(Number) });

      // What was refused was not carried out, and no place was given twice.
      await haveHeard(http, [origin], "line", { serving: 2 });
      expect(await visit(http, origin, people[5] as Person)).toMatchObject({ kind: "parked", position: 6 });
      expect(await visit(http, origin, people[0] as Person)).toMatchObject({ kind: "code" });
      const late = [first, ...newcomers.slice(0, 5)];
      await until(async () => {
        for (const each of late) if (each.position === 0) await visit(http, origin, each);
        expect(late.every(({ position }) => position > 10)).toBe(true);
      });
      expect(new Set([...people, ...late].map(({ position }) => position)).size).toBe(people.length + late.length);
      for (const event of ["store.breaker_opened", "store.breaker_closed"]) expect(gateway.output()).toContain(event);
      expect(await metric("usher_store_breaker_opened_total")).toBe(1);
    },
  );
}
