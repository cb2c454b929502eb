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

async function startLine(atEnd: (cleanup: () => Promise<void> | void) => unknown) {
  const redis = await startRedis();
  atEnd(() => redis.stop());
  const proxy = await startCuttingProxy(redis.port);
  atEnd(() => proxy.close());
  const http = createHttpClient();
  atEnd(() => http.close());
  const gateway = await startGateway({
    asProcess: true,
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
  /** Asks as a visitor does, and notes how long that took. */
  async function timed(person: Person) {
    const sinceMs = performance.now();
    const answer = await visit(http, origin, person);
    return { answer, ms: performance.now() - sinceMs };
  }
  return { redis, proxy, http, gateway, origin, admin, metric, commandsSent, timed };
}

type Line = Awaited<ReturnType<typeof startLine>>;

test.concurrent.for([
  {
    name: "hangs",
    fail: ({ redis }: Line) => redis.freeze(),
    mend: ({ redis }: Line) => redis.thaw(),
  },
  {
    name: "answers later than it is waited for",
    fail: ({ proxy }: Line) => proxy.delayReplies(timeoutMs + 200),
    mend: ({ proxy }: Line) => proxy.delayReplies(0),
  },
])("Redis $name: the first newcomers wait, the others hear at once to come again", async (way, { onTestFinished }) => {
  const line = await startLine(onTestFinished);
  const { http, gateway, origin, admin, metric, commandsSent, timed } = line;
  const people = await joinAll(http, [origin], "line", 10);
  await admin.increment("line", 2);
  await haveHeard(http, [origin], "line", { queued: 10, serving: 2 });
  expect([await metric("usher_store_breaker_state"), await metric("usher_store_breaker_opened_total")]).toEqual([0, 0]);

  way.fail(line);
  const first = newPerson("line");
  const { answer, ms } = await timed(first);
  expect(answer).toMatchObject({ kind: "notice", status: 503, code: "store_unavailable" });
  expect(ms).toBeGreaterThan(timeoutMs - 100);
  await until(async () => expect(await metric("usher_store_breaker_opened_total")).toBe(1));

  const sent = await commandsSent();
  const newcomers: Person[] = [];
  const durations: number[] = [];
  // As long as two probes and what is between them take.
  for (const sinceMs = performance.now(); performance.now() - sinceMs < 2 * timeoutMs; ) {
    const newcomer = newPerson("line");
    newcomers.push(newcomer);
    const each = await timed(newcomer);
    expect(each.answer).toMatchObject({ kind: "notice", status: 503, code: "store_unavailable" });
    durations.push(each.ms);
    const joined = await http.request(`${origin}/rooms/line/tickets`, { method: "POST" });
    expect([joined.status, joined.json()]).toMatchObject([503, { error: "store_unavailable" }]);
    expect(Number(joined.header("retry-after"))).toBeGreaterThan(0);
    const waiting = await timed(people[5] as Person);
    expect(waiting.answer).toMatchObject({ kind: "parked", position: 6, state: "store_away" });
    // Served before: the turn is kept.
    expect((await timed(people[0] as Person)).answer).toMatchObject({ kind: "parked", position: 1 });
    const status = await http.get(`${origin}/rooms/line/status`);
    expect([status.status, status.json()]).toMatchObject([200, { queued: 10, serving: 2, availability: "away" }]);
    const step = await admin.request("POST", "/rooms/line/serving", { increment_by: 5 });
    expect([step.status, Number(step.header("retry-after"))]).toEqual([503, 2]);
    await delay(50);
  }
  const ordered = durations.toSorted((a, b) => a - b);
  const typicalMs = ordered[Math.floor(ordered.length / 2)] ?? Number.NaN;
  const maxMs = ordered.at(-1) ?? Number.NaN;
  console.log(`${durations.length} newcomers: ${typicalMs.toFixed(1)} ms (median), ${maxMs.toFixed(1)} ms (most)`);
  expect(typicalMs).toBeLessThan(100);
  // The machine may be busy; nobody waited for a deadline.
  expect(maxMs).toBeLessThan(timeoutMs / 2);
  expect(await metric("usher_store_breaker_state")).toBeGreaterThan(0);
  // Nothing but probes.
  expect(await commandsSent()).toBe(sent);

  const sinceMs = performance.now();
  way.mend(line);
  await until(async () => expect(await metric("usher_store_breaker_state")).toBe(0));
  const closedMs = performance.now() - sinceMs;
  await haveHeard(http, [origin], "line", { availability: "ready", queued: expect.any(Number) });
  console.log(
    `closed ${closedMs.toFixed(0)} ms after its return, the room ready after ${(performance.now() - sinceMs).toFixed(0)} ms`,
  );
  // A probe that is under way may have been delayed; then a second at most between two.
  expect(closedMs).toBeLessThan(timeoutMs + 1_500);

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
});
