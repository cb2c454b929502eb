/**
 * Goal: what a request costs a gateway, against another version of it. Method: two built trees, this one and the one that is
 * named (a `git worktree` with its node_modules and dist), each with a Redis of its own, answer the same requests by turns.
 * Prints the medians of their CPU time per request in µs, and of the paired ratios, as JSON.
 *
 * `npx tsx test/bench/trees.ts TREE [rounds] [part of a name]`; `BENCH_NODE=PROGRAM` runs the other one by another version of Node.js.
 */
import { readlinkSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { createAdmin } from "../support/admin.ts";
import type { startGateway } from "../support/gateway.ts";
import { createHttpClient } from "../support/http-client.ts";
import { startRedis } from "../support/redis-server.ts";
import { cpuSec } from "./cpu.ts";
import { load } from "./load.ts";
import { measureLogins } from "./logins.ts";
import { inTurns, median } from "./medians.ts";
import { gzip, page, query, redirectUri } from "./requests.ts";

const trees = [resolve(import.meta.dirname, "../.."), resolve(process.argv[2] ?? "")];
const rounds = Number(process.argv[3] ?? 9);
const wanted = process.argv[4] ?? "";
/** Of one turn. */
const durationSec = 1;
const warmUpSec = 3;

const http = createHttpClient();
const nodes = [process.execPath, process.env.BENCH_NODE ?? process.execPath];
const gateways = await Promise.all(trees.map((tree, index) => startTree(tree, nodes[index] as string)));

async function startTree(tree: string, node: string) {
  const support = (await import(pathToFileURL(`${tree}/test/support/gateway.ts`).href)) as {
    startGateway: typeof startGateway;
  };
  const redis = await startRedis();
  const client = { client_secret: "x".repeat(32), redirect_uris: [redirectUri] };
  const gateway = await support.startGateway({
    asProcess: true,
    config: {
      store: { type: "redis", url: redis.url },
      rooms: ["line", "open"].map((id) => ({ id, title: "Autumn tour tickets", inlet: { type: "manual" } })),
      clients: [
        { ...client, client_id: "site", room: "line" },
        { ...client, client_id: "open", room: "open" },
      ],
    },
    env: { USHER_LOG_LEVEL: "warn" },
    node,
  });
  if (readlinkSync(`/proc/${gateway.process().pid}/exe`) !== realpathSync(node))
    throw new Error(`${tree} is not run by ${node}`);
  await createAdmin(http, gateway.origin).increment("open", 1_000_000);
  const first = await http.get(`${gateway.origin}/authorize?${query}`, page);
  const cookies = [first.headers["set-cookie"] ?? []].flat().map((cookie) => cookie.split(";", 1)[0] ?? "");
  // The ticket, and not the copy of its place.
  const cookie = cookies.find((text) => !text.includes(".place.")) ?? "";
  return { gateway, redis, cookie };
}

type Tree = (typeof gateways)[number];

/** CPU time of one request of the gateway, in µs. */
async function measureLoad({ gateway }: Tree, path: string, headers: Record<string, string>, sec: number) {
  const { pid } = gateway.process();
  const before = cpuSec(pid);
  const { total, failures } = await load({ url: gateway.origin + path, headers, durationSec: sec });
  if (failures > 0) throw new Error(`${path}: ${failures} requests failed`);
  return ((cpuSec(pid) - before) * 1_000_000) / total;
}

const authorize = `/authorize?${query}`;
const plays: { name: string; run(tree: Tree, sec: number): Promise<number> }[] = [
  { name: "join", run: (tree, sec) => measureLoad(tree, authorize, page, sec) },
  { name: "join, gzip", run: (tree, sec) => measureLoad(tree, authorize, gzip, sec) },
  { name: "status", run: (tree, sec) => measureLoad(tree, "/rooms/line/status", {}, sec) },
  { name: "parked page", run: (tree, sec) => measureLoad(tree, authorize, { ...page, cookie: tree.cookie }, sec) },
  {
    name: "parked page, gzip",
    run: (tree, sec) => measureLoad(tree, authorize, { ...gzip, cookie: tree.cookie }, sec),
  },
  {
    name: "own place",
    run: (tree, sec) => measureLoad(tree, "/rooms/line/tickets/me", { cookie: tree.cookie }, sec),
  },
  { name: "login", run: async ({ gateway }) => (await measureLogins(gateway, redirectUri, 400)).cpuMs * 1_000 },
];

try {
  for (const { name, run } of plays.filter((play) => play.name.includes(wanted))) {
    const us: [number[], number[]] = [[], []];
    for (let round = 0; round <= rounds; round++) {
      for (const [index, tree] of inTurns(gateways, round)) {
        const cost = await run(tree, round === 0 ? warmUpSec : durationSec);
        if (round > 0) us[index]?.push(cost);
      }
    }
    const ratio = median(us[0].map((cost, index) => cost / (us[1][index] ?? cost)));
    const figures = { request: name, us: Math.round(median(us[0])), thereUs: Math.round(median(us[1])) };
    process.stdout.write(`${JSON.stringify({ ...figures, ratio: Math.round(ratio * 100) / 100 })}\n`);
  }
} finally {
  http.close();
  for (const { gateway, redis } of gateways) {
    await gateway.stop();
    await redis.stop();
  }
}
