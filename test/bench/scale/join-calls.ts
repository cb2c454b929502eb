/**
 * What a join call costs Redis, by how many places it takes. Method: the real script on a real server, by batches of several sizes in turns;
 * CPU time of redis-server, and of it what the script takes (`INFO commandstats`).
 */

import { systemRandom } from "../../../src/lib/clock-and-random.ts";
import { createLogger } from "../../../src/lib/logger.ts";
import { createRedisStore } from "../../../src/store/redis/index.ts";
import { settings } from "../../contract/room-driver.ts";
import { startRedis } from "../../support/redis-server.ts";
import { median } from "../medians.ts";
import { storeUse } from "../store-figures.ts";

export interface CallsWay {
  readonly connections: number;
  /** Between two calls on a connection, in milliseconds. */
  readonly pauseMs: number;
  readonly callsPerRound: number;
  readonly rounds: number;
}

/** Of one call, in microseconds; medians of the rounds. */
export interface CallCost {
  readonly places: number;
  readonly cpuUs: number;
  readonly scriptUs: number;
}

const room = "line";
type Store = ReturnType<typeof createRedisStore>;

export async function measureJoinCalls(
  { connections, pauseMs, callsPerRound, rounds }: CallsWay,
  batches: readonly number[],
): Promise<CallCost[]> {
  const redis = await startRedis();
  const stores = Array.from({ length: connections }, () =>
    createRedisStore({ url: redis.url, random: systemRandom, logger: createLogger("silent") }),
  );
  try {
    for (const store of stores) await store.start();
    const incarnation = await open(stores[0] as Store);
    const scriptUsec = async () =>
      Number(
        /cmdstat_evalsha:calls=\d+,usec=(\d+)/.exec(String(await redis.command("INFO", "commandstats")))?.[1] ?? 0,
      );
    const costs = batches.map((places) => ({ places, cpuUs: [] as number[], scriptUs: [] as number[] }));
    for (let at = 0; at <= rounds; at++) {
      for (const { places, cpuUs, scriptUs } of costs) {
        const before = { ...(await storeUse(redis)), script: await scriptUsec() };
        const calls = callsPerRound / connections;
        await Promise.all(stores.map((store) => joinTimes(store, incarnation, { places, calls, pauseMs })));
        const after = { ...(await storeUse(redis)), script: await scriptUsec() };
        // The first round warms up.
        if (at === 0) continue;
        cpuUs.push((after.cpuUs - before.cpuUs) / callsPerRound);
        scriptUs.push((after.script - before.script) / callsPerRound);
      }
    }
    return costs.map(({ places, cpuUs, scriptUs }) => ({ places, cpuUs: median(cpuUs), scriptUs: median(scriptUs) }));
  } finally {
    for (const store of stores) await store.close();
    await redis.stop();
  }
}

async function joinTimes(
  store: Store,
  incarnation: string,
  { places, calls, pauseMs }: { readonly places: number; readonly calls: number; readonly pauseMs: number },
): Promise<void> {
  for (let call = 0; call < calls; call++) {
    const { result } = await store.rooms.join(room, incarnation, places);
    if (result !== "ok") throw new Error(result);
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

async function open(store: Store): Promise<string> {
  const fileSettings = settings({ type: "periodic", limit: 6_000, claimWithinMs: 3_600_000 });
  for (;;) {
    const answer = await store.rooms.contribute({ room, fileSettings, memory: null, isNewRoom: true });
    if (answer.remainingMs <= 0) return answer.incarnation;
    await new Promise((resolve) => setTimeout(resolve, answer.remainingMs));
  }
}
