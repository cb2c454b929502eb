/**
 * `npm run bench`: measures a real gateway on a real Redis against a bare node:http server in the same run and
 * prints JSON. Exits with 1 when a budget is missed (`--report` only reports).
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { request } from "node:http";
import { createAdmin } from "../support/admin.ts";
import { startGateway } from "../support/gateway.ts";
import { createHttpClient } from "../support/http-client.ts";
import { startRedis } from "../support/redis-server.ts";
import { measureConsoles } from "./consoles.ts";
import { cpuSec } from "./cpu.ts";
import { measureDefences } from "./defences.ts";
import { measureDraw } from "./draw.ts";
import { type LoadResult, load } from "./load.ts";
import { measureLogins } from "./logins.ts";
import { gzip, page, query, redirectUri } from "./requests.ts";

const durationSec = Number(process.env.BENCH_SECONDS ?? 5);
/** Runs by turns against gateway and bare server; the medians are compared, since the machine has other work too. */
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);

/** What comes with the seconds, whoever waits, or has an end: rows of slots and minutes; and the count of open pages, 16 kB at most. */
const ofTime = /:(statistics_\w+|events|admission_log|open_pages)$/;

const redis = await startRedis();
const gateway = await startGateway({
  config: {
    store: { type: "redis", url: redis.url },
    rooms: [
      { id: "line", title: "Autumn tour tickets", inlet: { type: "manual" } },
      { id: "open", title: "Open house", inlet: { type: "manual" } },
    ],
    clients: [
      { client_id: "site", client_secret: "x".repeat(32), redirect_uris: [redirectUri], room: "line" },
      { client_id: "open", client_secret: "x".repeat(32), redirect_uris: [redirectUri], room: "open" },
    ],
  },
  env: { USHER_LOG_LEVEL: "warn" },
});
const bare = fork(new URL("./bare-server.ts", import.meta.url), { stdio: "inherit" });
const [{ port: barePort }] = (await once(bare, "message")) as [{ port: number }];
const http = createHttpClient();

try {
  const authorizeUrl = `${gateway.origin}/authorize?${query}`;

  const before = await storeFigures();
  const joins = await compare(authorizeUrl, page);
  // By now the room's state has all of its fields.
  const between = await storeFigures();
  const joinsGzip = await compare(authorizeUrl, gzip);
  const after = await storeFigures();
  const joined = after.joins - before.joins;
  const status = await compare(`${gateway.origin}/rooms/line/status`, {});
  const cookie = await cookieOf(authorizeUrl);
  const parked = await compare(authorizeUrl, { ...page, cookie });
  const parkedGzip = await compare(authorizeUrl, { ...gzip, cookie });
  const admin = createAdmin(http, gateway.origin);
  await admin.increment("open", 1_000_000);
  const logins = await measureLogins(gateway, redirectUri, 400);
  const draw = measureDraw(1_000_000);
  const consoles = await measureConsoles(rounds);
  const defences = await measureDefences(rounds);
  const pageBytes = (await fetchRaw(authorizeUrl, gzip)).body.length;

  const figures = {
    joins_per_second: joins.gateway.requestsPerSecond,
    joins,
    joins_gzip: joinsGzip,
    status,
    parked,
    parked_gzip: parkedGzip,
    store_commands_per_join: round((after.commands - before.commands) / joined),
    store_bytes_per_waiting_visitor: round(
      Math.max(0, after.keysBytes - between.keysBytes) / (after.joins - between.joins),
    ),
    joined,
    login_cpu_ms: logins.cpuMs,
    logins,
    draw,
    consoles,
    /** CPU time of a join by the JSON API, in microseconds, by what has to be looked at; work: with the challenge before it. */
    defence_cpu_us: defences,
    /** Answers of the bare server that take as much CPU time in a second as the consoles do. */
    consoles_in_bare_answers: round((consoles.cpuMsPerSecondAdded * 1_000) / status.bareCpuUs),
    page_bytes_compressed: pageBytes,
    requests_to_draw_the_page: 1,
  };
  const budgets = {
    "joins/s ÷ bare ≥ 0.55": joins.ratio >= 0.55,
    "joins/s ÷ bare ≥ 0.55 (gzip)": joinsGzip.ratio >= 0.55,
    "joins/s ≥ 16,700": Math.min(joins.gateway.requestsPerSecond, joinsGzip.gateway.requestsPerSecond) >= 16_700,
    "status/s ÷ bare ≥ 0.75": status.ratio >= 0.75,
    "store commands per join < 0.2": figures.store_commands_per_join < 0.2,
    "store bytes per waiting visitor = 0": figures.store_bytes_per_waiting_visitor < 0.01,
    "parked page ≤ 60 µs of CPU beyond the bare answer": parked.cpuUsBeyondBare <= 60,
    "parked page ≤ 60 µs of CPU beyond the bare answer (gzip)": parkedGzip.cpuUsBeyondBare <= 60,
    "login ≤ 3 ms of CPU": logins.cpuMs <= 3,
    "a million entries of a draw < 1 s of CPU": draw.cpuSec < 1,
    "ten consoles ≤ the CPU time of 300 bare answers a second": figures.consoles_in_bare_answers <= 300,
    "limits or rules ≤ 1.5 × a join without": Math.max(defences.limits, defences.rules) <= 1.5 * defences.off,
    "an entry of a draw ≤ 2.5 × a join without": defences.entry <= 2.5 * defences.off,
    "an invitation ≤ 4 × a join without": defences.invitation <= 4 * defences.off,
    "challenge and proof ≤ 15 × a join without": defences.work <= 15 * defences.off,
    "page ≤ 14 kB compressed": pageBytes <= 14_000,
  };
  console.log(JSON.stringify({ node: process.version, durationSec, rounds, ...figures, budgets }, null, 2));
  if (Object.values(budgets).includes(false) && !process.argv.includes("--report")) process.exitCode = 1;
} finally {
  bare.kill();
  http.close();
  await gateway.stop();
  await redis.stop();
}

interface Comparison {
  readonly gateway: LoadResult;
  readonly bare: LoadResult;
  /** Requests per second of the gateway ÷ those of the bare server; medians of the rounds. */
  readonly ratio: number;
  /** CPU time of the gateway for one request, less that of the bare server, in microseconds; median of the rounds. */
  readonly cpuUsBeyondBare: number;
  /** CPU time of the bare server for one request, in microseconds; median of the rounds. */
  readonly bareCpuUs: number;
}

async function compare(url: string, headers: Record<string, string>): Promise<Comparison> {
  const sample = await fetchRaw(url, headers);
  bare.send({ headers: sample.headers, body: sample.body.toString("base64") });
  await once(bare, "message");
  const runs: { gateway: LoadResult; bare: LoadResult; cpuUs: number; bareCpuUs: number }[] = [];
  await load({ url, headers, durationSec: 2 });
  await load({ url: `http://127.0.0.1:${barePort}/`, headers, durationSec: 1 });
  for (let round = 0; round < rounds; round++) {
    const ofGateway = await measure(gateway.process().pid, url, headers);
    const ofBare = await measure(bare.pid ?? 0, `http://127.0.0.1:${barePort}/`, headers);
    const { cpuUs: bareCpuUs } = ofBare;
    runs.push({ gateway: ofGateway.result, bare: ofBare.result, cpuUs: ofGateway.cpuUs - bareCpuUs, bareCpuUs });
  }
  const result = { gateway: median(runs.map((run) => run.gateway)), bare: median(runs.map((run) => run.bare)) };
  for (const { gateway: measured } of runs) {
    if (measured.failures > 0) throw new Error(`${url}: ${measured.failures} requests failed`);
  }
  return {
    ...result,
    ratio: round(result.gateway.requestsPerSecond / result.bare.requestsPerSecond),
    cpuUsBeyondBare: medianOf(runs.map((run) => run.cpuUs)),
    bareCpuUs: medianOf(runs.map((run) => run.bareCpuUs)),
  };
}

/** A run, and what CPU time each request took of the process that answers. */
async function measure(pid: number, url: string, headers: Record<string, string>) {
  const before = cpuSec(pid);
  const result = await load({ url, headers, durationSec });
  return { result, cpuUs: ((cpuSec(pid) - before) * 1_000_000) / result.total };
}

function median(results: readonly LoadResult[]): LoadResult {
  const sorted = [...results].sort((a, b) => a.requestsPerSecond - b.requestsPerSecond);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error("no rounds");
  return middle;
}

function medianOf(figures: readonly number[]): number {
  return round([...figures].sort((a, b) => a - b)[Math.floor(figures.length / 2)] ?? Number.NaN);
}

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}

/** The exact bytes of an answer: as it came, not decompressed. */
async function fetchRaw(url: string, headers: Record<string, string>): Promise<{ headers: string[]; body: Buffer }> {
  const outgoing = request(url, { headers });
  outgoing.end();
  const [incoming] = (await once(outgoing, "response")) as [import("node:http").IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  if (incoming.statusCode !== 200) throw new Error(`${url} answered ${incoming.statusCode}`);
  const own = new Set(["date", "connection", "keep-alive"]);
  const raw: string[] = [];
  for (let index = 0; index < incoming.rawHeaders.length; index += 2) {
    const [name = "", value = ""] = incoming.rawHeaders.slice(index, index + 2);
    if (!own.has(name.toLowerCase())) raw.push(name, value);
  }
  return { headers: raw, body: Buffer.concat(chunks) };
}

async function cookieOf(url: string): Promise<string> {
  const { headers } = await fetchRaw(url, {});
  const index = headers.findIndex((name) => name.toLowerCase() === "set-cookie");
  return (headers[index + 1] ?? "").split(";")[0] ?? "";
}

/** What the gateway sent to the store, and what the room takes there. */
async function storeFigures(): Promise<{ commands: number; joins: number; keysBytes: number }> {
  const { body } = await http.get(`${gateway.origin}/metrics`);
  const sum = (name: string) =>
    [...body.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, "gm"))].reduce(
      (total, [, n]) => total + Number(n),
      0,
    );
  return {
    commands: sum("usher_store_commands_total"),
    joins: sum("usher_joins_total"),
    keysBytes: await keysBytes("*{line}*"),
  };
}

/** Memory that the keys of a pattern take in the store, as far as visitors could make it grow. */
async function keysBytes(pattern: string): Promise<number> {
  const keys = (await redis.command("KEYS", pattern)) as string[];
  let bytes = 0;
  for (const key of keys.filter((each) => !ofTime.test(each)))
    bytes += Number(await redis.command("MEMORY", "USAGE", key, "SAMPLES", "0"));
  return bytes;
}
