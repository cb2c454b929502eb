import { findProgram, startProcess } from "../../support/processes.ts";

export interface WrkResult {
  readonly requestsPerSecond: number;
  readonly total: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers that were neither 2xx nor 3xx, and connections that failed. */
  readonly failures: number;
}

export interface WrkOptions {
  readonly url: string;
  readonly headers?: Record<string, string>;
  readonly durationSec: number;
  readonly connections?: number;
  /** A file in Lua, and what it is given. */
  readonly script?: readonly [file: string, ...args: string[]];
}

/** Load by wrk, which is written in C and takes little CPU time of its own: one thread, kept connections. */
export async function wrk({
  url,
  headers = {},
  durationSec,
  connections = 64,
  script,
}: WrkOptions): Promise<WrkResult> {
  const program = findProgram("wrk");
  if (program === undefined) throw new Error("wrk is missing");
  const [file, ...args] = script ?? [];
  const running = startProcess({
    name: "wrk",
    command: program,
    args: [
      ...["-t", "1", "-c", String(connections), "-d", `${durationSec}s`, "--timeout", "10s", "--latency"],
      ...Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]),
      ...(file === undefined ? [] : ["-s", file]),
      url,
      ...(args.length === 0 ? [] : ["--", ...args]),
    ],
  });
  const { code } = await running.exited;
  if (code !== 0) throw new Error(`wrk: ${running.output()}`);
  return readResult(running.stdout());
}

export function readResult(text: string): WrkResult {
  const number = (pattern: RegExp) => Number(pattern.exec(text)?.[1] ?? Number.NaN);
  const errors = /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(text)?.slice(1) ?? [];
  const wrong = /Non-2xx or 3xx responses: (\d+)/.exec(text)?.[1] ?? "0";
  return {
    requestsPerSecond: number(/Requests\/sec:\s+([\d.]+)/),
    total: number(/(\d+) requests in/),
    p50Ms: milliseconds(/50%\s+([\d.]+)(us|ms|s|m)\b/.exec(text)),
    p99Ms: milliseconds(/99%\s+([\d.]+)(us|ms|s|m)\b/.exec(text)),
    failures: [...errors, wrong].reduce((sum, each) => sum + Number(each), 0),
  };
}

const millisecondsOf: Record<string, number> = { us: 0.001, ms: 1, s: 1_000, m: 60_000 };

function milliseconds(match: RegExpExecArray | null): number {
  return Number(match?.[1]) * (millisecondsOf[match?.[2] ?? ""] ?? Number.NaN);
}
