/**
 * How far the simulation is off: joins of one room at several rates, at a real gateway with a real Redis, and the same simulated with the CPU
 * times that were measured here. Arrivals are drawn, and no finer than this process's timers: a millisecond. `npm run build`, then `npx tsx test/bench/scale/against-one.ts`.
 */

import { createChance } from "../../fault/simulation/chance.ts";
import { startGateway } from "../../support/gateway.ts";
import { startRedis } from "../../support/redis-server.ts";
import { cpuSec } from "../cpu.ts";
import { round } from "../medians.ts";
import { Connection } from "../push-or-poll/connection.ts";
import { storeUse } from "../store-figures.ts";
import { simulate } from "./simulate.ts";

const seconds = 8;
const redis = await startRedis();
const config = { store: { type: "redis", url: redis.url }, rooms: [{ id: "line", inlet: { type: "manual" } }] };
const gateway = await startGateway({ asProcess: true, config, env: { USHER_LOG_LEVEL: "warn" } });
const idle: Connection[] = [];
const chance = createChance("against one");
await run(1_000);
const still = await use(() => new Promise((resolve) => setTimeout(resolve, seconds * 1_000)));
for (const joinsPerSec of [250, 500, 1_000, 2_000]) {
  const { latencies, ...used } = await use(() => run(joinsPerSec));
  const joins = latencies?.length ?? 0;
  const calls = used.calls - still.calls;
  const redisUs = used.redisUs - still.redisUs;
  const joinUs = (used.gatewayUs - still.gatewayUs) / joins;
  const costs = { turn: 20, before: 0.4 * joinUs, after: 0.6 * joinUs, call: redisUs / calls, place: 0, network: 100 };
  const simulated = simulate(costs, { gateways: 1, joinsPerSec: joins / used.sec, grainUs: 1_000 });
  const sorted = latencies?.toSorted((a, b) => a - b) ?? [];
  const at = (share: number) => round(sorted[Math.floor(joins * share)] ?? Number.NaN, 1);
  const row = {
    joinsPerSec: round(joins / used.sec),
    gatewayUsPerJoin: round(joinUs),
    real: {
      placesPerCall: round(joins / calls, 2),
      redisUsPerCall: round(redisUs / calls),
      redisShare: round(redisUs / used.sec / 1e6, 3),
      p50Ms: at(0.5),
      p99Ms: at(0.99),
    },
    simulated: Object.fromEntries(Object.entries(simulated).map(([name, figure]) => [name, round(figure, 3)])),
  };
  console.log(JSON.stringify(row));
}
for (const connection of idle) connection.close();
await gateway.stop();
await redis.stop();

/** For so many seconds. Answers how long each join took, in milliseconds. */
async function run(joinsPerSec: number): Promise<number[]> {
  const latencies: number[] = [];
  const joins: Promise<void>[] = [];
  const startMs = performance.now();
  for (let dueMs = startMs; dueMs < startMs + seconds * 1_000; dueMs += chance.wait(1_000 / joinsPerSec)) {
    if (dueMs > performance.now()) await new Promise((resolve) => setTimeout(resolve, dueMs - performance.now()));
    joins.push(join(latencies));
  }
  await Promise.all(joins);
  return latencies;
}

async function join(latencies: number[]): Promise<void> {
  const connection = idle.pop() ?? new Connection(gateway.port);
  const sinceMs = performance.now();
  const { status } = await connection.request("POST", "/rooms/line/tickets");
  if (status !== 201) throw new Error(`a join answered ${status}`);
  latencies.push(performance.now() - sinceMs);
  idle.push(connection);
}

async function use(work: () => Promise<number[] | unknown>) {
  const figures = async () => {
    const info = String(await redis.command("INFO", "commandstats"));
    const calls = Number(/cmdstat_evalsha:calls=(\d+)/.exec(info)?.[1]);
    return { redisUs: (await storeUse(redis)).cpuUs, gatewayUs: cpuSec(gateway.process().pid) * 1e6, calls };
  };
  const [before, sinceMs] = [await figures(), performance.now()];
  const made = await work();
  const [after, sec] = [await figures(), (performance.now() - sinceMs) / 1_000];
  return {
    sec,
    latencies: Array.isArray(made) ? (made as number[]) : null,
    redisUs: after.redisUs - before.redisUs,
    gatewayUs: after.gatewayUs - before.gatewayUs,
    calls: after.calls - before.calls,
  };
}
