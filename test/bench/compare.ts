/**
 * What a request costs the gateway beside a bare server: CPU time of either process (/proc), the same bytes, by turns in the same run.
 * How fast the load generator is does not matter for that: it only has to keep them busy.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { cpuSec } from "./cpu.ts";
import { type LoadResult, load } from "./load.ts";
import { median, round, type Spread, spread } from "./medians.ts";

export interface Asked {
  readonly method?: "GET" | "POST";
  readonly url: string;
  readonly headers: Record<string, string>;
}

export interface Comparison {
  /** CPU time of one request, in microseconds. */
  readonly cpuUs: Spread;
  readonly bareCpuUs: Spread;
  /** The first ÷ the second, round by round. */
  readonly ratio: Spread;
  /** As this run's generator drove them, on the same cores; medians. */
  readonly requestsPerSecond: number;
  readonly bareRequestsPerSecond: number;
  readonly p99Ms: number;
}

export interface Rounds {
  readonly rounds: number;
  /** Of one turn. */
  readonly durationSec: number;
}

export async function startComparing(gatewayPid: number, { rounds, durationSec }: Rounds) {
  const bare = fork(new URL("./bare-server.ts", import.meta.url), { stdio: "inherit" });
  const [{ port }] = (await once(bare, "message")) as [{ port: number }];
  const bareUrl = `http://127.0.0.1:${port}/`;
  const barePid = bare.pid ?? 0;

  /** A turn, and what CPU time each request took of the process that answers. */
  async function measure(pid: number, asked: Asked): Promise<{ result: LoadResult; cpuUs: number }> {
    const before = cpuSec(pid);
    const result = await load({ ...asked, durationSec });
    if (result.failures > 0) throw new Error(`${asked.url}: ${result.failures} requests failed`);
    return { result, cpuUs: ((cpuSec(pid) - before) * 1_000_000) / result.total };
  }

  return {
    async compare(asked: Asked): Promise<Comparison> {
      const sample = await fetchRaw(asked);
      bare.send({ status: sample.status, headers: sample.headers, body: sample.body.toString("base64") });
      await once(bare, "message");
      const atBare = { ...asked, url: bareUrl };
      await load({ ...asked, durationSec: 2 });
      await load({ ...atBare, durationSec: 1 });
      const turns: { own: Awaited<ReturnType<typeof measure>>; other: Awaited<ReturnType<typeof measure>> }[] = [];
      for (let turn = 0; turn < rounds; turn++) {
        turns.push({ own: await measure(gatewayPid, asked), other: await measure(barePid, atBare) });
      }
      return {
        cpuUs: spread(turns.map(({ own }) => own.cpuUs)),
        bareCpuUs: spread(turns.map(({ other }) => other.cpuUs)),
        ratio: spread(
          turns.map(({ own, other }) => own.cpuUs / other.cpuUs),
          2,
        ),
        requestsPerSecond: round(median(turns.map(({ own }) => own.result.requestsPerSecond))),
        bareRequestsPerSecond: round(median(turns.map(({ other }) => other.result.requestsPerSecond))),
        p99Ms: median(turns.map(({ own }) => own.result.p99Ms)),
      };
    },
    stop: () => bare.kill(),
  };
}

/** An answer to the byte: as it came, not decompressed. */
export async function fetchRaw({ method = "GET", url, headers }: Asked) {
  const outgoing = request(url, { method, headers });
  outgoing.end();
  const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const { statusCode: status = 0 } = incoming;
  if (status < 200 || status > 299) throw new Error(`${url} answered ${status}`);
  const own = new Set(["date", "connection", "keep-alive"]);
  const raw: string[] = [];
  for (let index = 0; index < incoming.rawHeaders.length; index += 2) {
    const [name = "", value = ""] = incoming.rawHeaders.slice(index, index + 2);
    if (!own.has(name.toLowerCase())) raw.push(name, value);
  }
  return { status, headers: raw, body: Buffer.concat(chunks) };
}
