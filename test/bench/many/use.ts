/** What the processes take: CPU time and memory. */
import { readFileSync } from "node:fs";
import { treeCpuMs } from "../../support/cpu-time.ts";
import type { ProcessGateway } from "../../support/gateway.ts";
import type { RedisServer } from "../../support/redis-server.ts";
import { metricSum } from "../metric-sum.ts";
import { storeUse } from "../store-figures.ts";

/** Resident memory of a process, in bytes. */
export function residentBytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes) * 1_024;
}

/** Milliseconds for which a process's first thread was ready to run and had no core (/proc/PID/schedstat): what others on the machine took. */
export function waitedMs(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[1]) / 1e6;
}

/** The sum of a counter of a gateway over all its labels. */
export async function counter({ origin }: ProcessGateway, name: string): Promise<number> {
  return metricSum(await (await fetch(`${origin}/metrics`)).text(), name);
}

export interface Cores {
  readonly sec: number;
  /** CPU time in a second, of each. */
  readonly gateway: number;
  readonly redis: number;
  readonly cache: number;
  /** Of the time, for which the gateway was ready to run and had no core. */
  readonly gatewayWaited: number;
}

/** How much of a core each process takes while `work` lasts. @param cachePid of a cache in front; absent: there is none */
export async function measureCores<T>(
  gateway: ProcessGateway,
  redis: RedisServer,
  cachePid: number | undefined,
  work: () => Promise<T>,
): Promise<{ made: T; cores: Cores }> {
  const cpuMs = async () => ({
    gateway: treeCpuMs(gateway.process().pid),
    redis: (await storeUse(redis)).cpuUs / 1_000,
    cache: cachePid === undefined ? 0 : treeCpuMs(cachePid),
    gatewayWaited: waitedMs(gateway.process().pid),
  });
  const before = await cpuMs();
  const startedMs = performance.now();
  const made = await work();
  const wallMs = performance.now() - startedMs;
  const after = await cpuMs();
  const share = (name: keyof typeof before) => (after[name] - before[name]) / wallMs;
  return {
    made,
    cores: {
      sec: wallMs / 1_000,
      gateway: share("gateway"),
      redis: share("redis"),
      cache: share("cache"),
      gatewayWaited: share("gatewayWaited"),
    },
  };
}
