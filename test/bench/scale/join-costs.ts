/**
 * Goal: what a join call costs Redis, by how many places it takes. Method: the real script on a real server, by batches of several sizes in
 * turns, over one connection with 2 ms between two calls, one by one, and over eight at a time; CPU time of redis-server (/proc), and of it what the script takes
 * (`INFO commandstats`). Prints medians in µs for one call as JSON, and the line through them: so much for a call, so much more for a place.
 *
 * `npx tsx test/bench/scale/join-costs.ts [rounds]`
 */
import { createLogger } from "../../../src/lib/logger.ts";
import { systemRandom } from "../../../src/lib/random.ts";
import { createRedisStore } from "../../../src/store/redis/index.ts";
import { settings } from "../../contract/room-driver.ts";
import { startRedis } from "../../support/redis-server.ts";
import { median, round } from "../medians.ts";
import { storeUse } from "../store-figures.ts";

const rounds = Number(process.argv[2] ?? 15);
const batches = [1, 4, 16, 64, 256];
const ways = [
  { connections: 1, pauseMs: 2, callsPerRound: 200 },
  { connections: 1, pauseMs: 0, callsPerRound: 1_600 },
  { connections: 8, pauseMs: 0, callsPerRound: 1_600 },
];
const room = "line";

const redis = await startRedis();
const stores = Array.from({ length: 8 }, () =>
  createRedisStore({ url: redis.url, random: systemRandom, logger: createLogger("silent") }),
);
for (const store of stores) await store.start();
const [first] = stores;
if (first === undefined) throw new Error("no store");
const incarnation = await open();

for (const { connections, pauseMs, callsPerRound } of ways) {
  const costs = new Map(batches.map((batch) => [batch, { cpuUs: [] as number[], scriptUs: [] as number[] }]));
  for (let at = 0; at <= rounds; at++) {
    for (const [batch, { cpuUs, scriptUs }] of costs) {
      const before = { ...(await storeUse(redis)), script: await scriptUsec() };
      await Promise.all(
        stores.slice(0, connections).map((store) => joinTimes(store, batch, callsPerRound / connections, pauseMs)),
      );
      const after = { ...(await storeUse(redis)), script: await scriptUsec() };
      // The first round warms up.
      if (at === 0) continue;
      cpuUs.push((after.cpuUs - before.cpuUs) / callsPerRound);
      scriptUs.push((after.script - before.script) / callsPerRound);
    }
  }
  const calls = [...costs].map(([places, { cpuUs, scriptUs }]) => {
    return { places, cpuUs: round(median(cpuUs), 1), scriptUs: round(median(scriptUs), 1) };
  });
  process.stdout.write(`${JSON.stringify({ connections, pauseMs, ...lineThrough(calls), calls })}\n`);
}
for (const store of stores) await store.close();
await redis.stop();

async function joinTimes(store: typeof first & object, places: number, calls: number, pauseMs: number): Promise<void> {
  for (let call = 0; call < calls; call++) {
    const { result } = await store.rooms.join(room, incarnation, places);
    if (result !== "ok") throw new Error(result);
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

async function open(): Promise<string> {
  const fileSettings = settings({ type: "periodic", limit: 6_000, claimWithinMs: 3_600_000 });
  for (;;) {
    const offer = { room, fileSettings, memory: null, isNewRoom: true };
    const answer = await (first as NonNullable<typeof first>).rooms.contribute(offer);
    if (answer.remainingMs <= 0) return answer.incarnation;
    await new Promise((resolve) => setTimeout(resolve, answer.remainingMs));
  }
}

async function scriptUsec(): Promise<number> {
  const info = String(await redis.command("INFO", "commandstats"));
  return Number(/cmdstat_evalsha:calls=\d+,usec=(\d+)/.exec(info)?.[1] ?? 0);
}

/** Least squares. */
function lineThrough(calls: readonly { places: number; cpuUs: number }[]) {
  const mean = (of: (call: { places: number; cpuUs: number }) => number) =>
    calls.reduce((sum, call) => sum + of(call), 0) / calls.length;
  const [x, y] = [mean(({ places }) => places), mean(({ cpuUs }) => cpuUs)];
  const perPlaceUs = mean(({ places, cpuUs }) => (places - x) * (cpuUs - y)) / mean(({ places }) => (places - x) ** 2);
  return { callUs: round(y - perPlaceUs * x, 1), perPlaceUs: round(perPlaceUs, 3) };
}
