/** What operators' consoles cost a gateway: each a stream of the figures of ten rooms, and a read of an audit every ten seconds. */
import { setTimeout as delay } from "node:timers/promises";
import { cpuMs } from "../support/cpu-time.ts";
import { ADMIN_KEY, type ProcessGateway, startGateway } from "../support/gateway.ts";
import { startRedis } from "../support/redis-server.ts";
import { median, round } from "./medians.ts";

export interface ConsoleFigures {
  readonly consoles: number;
  /** CPU time of the gateway in a second without consoles, and what they add, in milliseconds; medians of the rounds. */
  readonly cpuMsPerSecondWithout: number;
  readonly cpuMsPerSecondAdded: number;
}

const roomIds = Array.from({ length: 10 }, (_, n) => `room-${n}`);
const consoles = roomIds.length;
const headers = { authorization: `Bearer ${ADMIN_KEY}` };
/** As long as the forecasts, and all audits, take turns. */
const roundSec = 10;
const settleMs = 2_000;

/** Rounds by turns without and with them, since the machine has other work too. */
export async function measureConsoles(rounds: number): Promise<ConsoleFigures> {
  const redis = await startRedis();
  const inlet = { type: "periodic", outflow_per_minute: 60 };
  const gateway = await startGateway({
    asProcess: true,
    config: { store: { type: "redis", url: redis.url }, rooms: roomIds.map((id) => ({ id, inlet })) },
    env: { USHER_LOG_LEVEL: "warn" },
  });
  try {
    for (const id of roomIds) await fetch(`${gateway.origin}/rooms/${id}/tickets`, { method: "POST" });
    // The first consoles run before the compiler has seen them often enough.
    await withConsoles(gateway, () => cpuMsPerSecond(gateway));
    const without: number[] = [];
    const added: number[] = [];
    for (let round = 0; round < rounds; round++) {
      await delay(settleMs);
      const own = await cpuMsPerSecond(gateway);
      without.push(own);
      added.push((await withConsoles(gateway, () => cpuMsPerSecond(gateway))) - own);
    }
    return { consoles, cpuMsPerSecondWithout: round(median(without), 2), cpuMsPerSecondAdded: round(median(added), 2) };
  } finally {
    await gateway.stop();
    await redis.stop();
  }
}

async function cpuMsPerSecond(gateway: ProcessGateway): Promise<number> {
  const { pid } = gateway.process();
  const [beganMs, ranMs] = [performance.now(), cpuMs(pid)];
  await delay(roundSec * 1_000);
  return ((cpuMs(pid) - ranMs) * 1_000) / (performance.now() - beganMs);
}

async function withConsoles<T>({ origin }: ProcessGateway, measure: () => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const { signal } = stop;
  let bytes = 0;
  let reads = 0;
  // Each has a room open, as on the day of a sale.
  const streams = roomIds.map(async (room) => {
    const { body } = await fetch(`${origin}/admin/live?room=${room}`, { headers, signal });
    for await (const chunk of body ?? []) bytes += chunk.length;
  });
  // Each reads one every ten seconds: one of the ten does each second.
  const reading = setInterval(async () => {
    const answer = await fetch(`${origin}/admin/audit?room=${roomIds[reads % roomIds.length]}&limit=20`, { headers });
    if (answer.ok) reads++;
  }, 1_000);
  await delay(settleMs);
  const measured = await measure();
  clearInterval(reading);
  stop.abort();
  await Promise.allSettled(streams);
  if (reads < roundSec || bytes < consoles * roundSec * 1_000) throw new Error(`${bytes} bytes, ${reads} reads`);
  return measured;
}
