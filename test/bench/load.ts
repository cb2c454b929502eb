import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** Requests per second and latencies of one run. */
export interface LoadResult {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly total: number;
  /** Answers that were neither 2xx nor 3xx, and connections that failed. */
  readonly failures: number;
}

export interface LoadOptions {
  readonly method?: "GET" | "POST";
  readonly url: string;
  readonly headers?: Record<string, string>;
  /** Whole seconds. */
  readonly durationSec: number;
  readonly connections?: number;
  /** A file in Lua by which `wrk` goes, and what it is given. Default: none but for a POST */
  readonly script?: readonly [file: string, ...args: string[]];
}

const postScript = fileURLToPath(new URL("post.lua", import.meta.url));
const inMs = { us: 0.001, ms: 1, s: 1_000, m: 60_000 };

/** Keep-alive load on a loopback address, bounded in time, by `wrk`: a generator in C, of one thread. */
export async function load({
  method = "GET",
  url,
  headers = {},
  durationSec,
  connections = 64,
  script = method === "POST" ? [postScript] : undefined,
}: LoadOptions): Promise<LoadResult> {
  const [file, ...given] = script ?? [];
  const args = [
    ...["-t1", `-c${connections}`, `-d${durationSec}s`, "--timeout", "10s", "--latency"],
    ...Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]),
    ...(file === undefined ? [] : ["-s", file]),
    url,
    ...(given.length === 0 ? [] : ["--", ...given]),
  ];
  const wrk = spawn("wrk", args, { stdio: ["ignore", "pipe", "inherit"] });
  const [chunks] = await Promise.all([wrk.stdout.toArray() as Promise<Buffer[]>, once(wrk, "close")]);
  return readReport(Buffer.concat(chunks).toString());
}

/** @throws Error that shows what is no report of `wrk` */
export function readReport(report: string): LoadResult {
  const first = (pattern: RegExp) => {
    const [, ...found] = pattern.exec(report) ?? [];
    if (found.length === 0) throw new Error(`wrk reports something else than expected:\n${report}`);
    return found;
  };
  const latencyMs = (percent: number) => {
    const [value, unit] = first(new RegExp(`^ +${percent}% +([\\d.]+)(us|ms|s|m) *$`, "m"));
    return Number(value) * inMs[unit as keyof typeof inMs];
  };
  const total = Number(first(/^ +(\d+) requests in /m)[0]);
  const [, refused = 0] = /^ +Non-2xx or 3xx responses: (\d+)$/m.exec(report) ?? [];
  const [, failed = ""] = /^ +Socket errors: (.+)$/m.exec(report) ?? [];
  const lost = [...failed.matchAll(/\d+/g)].reduce((sum, [count]) => sum + Number(count), 0);
  return {
    requestsPerSecond: Math.round(Number(first(/^Requests\/sec: +([\d.]+)$/m)[0])),
    p50Ms: latencyMs(50),
    p99Ms: latencyMs(99),
    total,
    failures: Number(refused) + lost,
  };
}
