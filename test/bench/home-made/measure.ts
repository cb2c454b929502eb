import { fork } from "node:child_process";
import { once } from "node:events";
import { startRedis } from "../../support/redis-server.ts";
import { fetchRaw, startComparing } from "../compare.ts";
import type { Spread } from "../medians.ts";
import { round } from "../medians.ts";
import { page } from "../requests.ts";
import { storeUse } from "../store-figures.ts";

export interface HomeMadeFigures {
  /** CPU time of one, in microseconds. */
  readonly joinCpuUs: Spread;
  readonly reloadCpuUs: Spread;
  readonly pollCpuUs: Spread;
  /** Of the store, for one join. */
  readonly storeCpuUsPerJoin: number;
  readonly storeCommandsPerJoin: number;
  readonly storeBytesPerWaitingVisitor: number;
  /** CPU time of a request through `express-queue` (see queued.ts), in microseconds. */
  readonly queuedCpuUs: Spread;
}

async function measureQueued(rounds: number, durationSec: number): Promise<Spread> {
  const server = fork(new URL("./queued.ts", import.meta.url), { stdio: "inherit" });
  try {
    const [{ port }] = (await once(server, "message")) as [{ port: number }];
    const comparing = await startComparing(server.pid ?? 0, { rounds, durationSec });
    try {
      return (await comparing.compare({ url: `http://127.0.0.1:${port}/`, headers: page })).cpuUs;
    } finally {
      comparing.stop();
    }
  } finally {
    server.kill();
  }
}

/** The same work by a waiting room that is made by hand (see server.ts): joins, reloads, and polls of those who wait. */
export async function measureHomeMade(rounds: number, durationSec: number): Promise<HomeMadeFigures> {
  const redis = await startRedis();
  const server = fork(new URL("./server.ts", import.meta.url), [redis.url], { stdio: "inherit" });
  try {
    const [{ port }] = (await once(server, "message")) as [{ port: number }];
    const origin = `http://127.0.0.1:${port}`;
    const comparing = await startComparing(server.pid ?? 0, { rounds, durationSec });
    try {
      const [before, asked] = [await storeUse(redis), await commands()];
      const join = await comparing.compare({ url: `${origin}/`, headers: page });
      const [after, answered] = [await storeUse(redis), await commands()];
      const joined = Number(await redis.command("ZCARD", "line"));
      const { headers } = await fetchRaw({ url: `${origin}/`, headers: page });
      const at = headers.findIndex((name) => name.toLowerCase() === "set-cookie");
      const cookie = (headers[at + 1] ?? "").split(";")[0] ?? "";
      const reload = await comparing.compare({ url: `${origin}/`, headers: { ...page, cookie } });
      const poll = await comparing.compare({ url: `${origin}/status`, headers: { cookie } });
      return {
        joinCpuUs: join.cpuUs,
        reloadCpuUs: reload.cpuUs,
        pollCpuUs: poll.cpuUs,
        storeCpuUsPerJoin: round((after.cpuUs - before.cpuUs) / joined),
        storeCommandsPerJoin: round((answered - asked) / joined, 1),
        storeBytesPerWaitingVisitor: round((after.bytes - before.bytes) / joined),
        queuedCpuUs: await measureQueued(rounds, durationSec),
      };
    } finally {
      comparing.stop();
    }
  } finally {
    server.kill();
    await redis.stop();
  }

  async function commands(): Promise<number> {
    const info = String(await redis.command("INFO", "stats"));
    return Number(/^total_commands_processed:(\d+)/m.exec(info)?.[1]);
  }
}
