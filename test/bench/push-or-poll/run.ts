/**
 * Push or poll for the last minute of a wait (docs/decisions/0008-push-or-poll.md): what waiting pages cost with either, and how long they
 * take from *served* to *entered*. Prints JSON lines. `npm run build`, then `npx tsx test/bench/push-or-poll/run.ts PAGES…`
 * for the former, `… run.ts turns` for the latter.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { pollAfterMs, spread } from "../../../src/pages/shared/pacing.ts";
import { createAdmin } from "../../support/admin.ts";
import { startGateway } from "../../support/gateway.ts";
import { createHttpClient } from "../../support/http-client.ts";
import { startRedis } from "../../support/redis-server.ts";
import { cpuSec } from "../cpu.ts";
import { round } from "../medians.ts";
import { bytes, Connection } from "./connection.ts";
import { measureTurns, type TurnsPlan } from "./turns.ts";

const measuredSec = 40;
const waitSec = 60;
const [, , what, ...rest] = process.argv;
const counts = what === "turns" ? [] : [what ?? 5_000, ...rest].map(Number);
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const manual = ["held", "steps-poll", "steps-poll-1s", "steps-push"];
const periodic = ["flow-poll", "flow-poll-1s", "flow-poll-aimed", "flow-push"];
const redis = await startRedis();
const gateway = await startGateway({
  config: {
    store: { type: "redis", url: redis.url },
    rooms: [
      ...manual.map((id) => ({ id, title: id, inlet: { type: "manual" } })),
      ...periodic.map((id) => ({ id, title: id, inlet: { type: "periodic", outflow_per_minute: 600 } })),
    ],
  },
  env: { USHER_LOG_LEVEL: "warn" },
});
const streams = fork(new URL("./streams.ts", import.meta.url), [gateway.origin], { stdio: "inherit" });
const [{ port: streamsPort }] = (await once(streams, "message")) as [{ port: number }];
const http = createHttpClient();
const admin = createAdmin(http, gateway.origin);
const gatewayPid = gateway.process().pid;
const streamsPid = streams.pid ?? 0;

try {
  for (const count of counts) {
    tell("poll", count, await hold(gatewayPid, count, poll));
    tell("stream, its turn", count, await hold(streamsPid, count, (page) => follow(page, "")));
    tell("stream, each second", count, await hold(streamsPid, count, (page) => follow(page, "&every")));
  }
  if (what === "turns") await measureAllTurns();
} finally {
  streams.kill();
  http.close();
  await gateway.stop();
  await redis.stop();
}

function tell(way: string, pages: number, figures: object): void {
  console.log(JSON.stringify({ way, pages, ...figures }));
}

type Page = (connection: Connection, isOver: () => boolean) => Promise<void>;

/** So many pages wait, evenly spread over the last minute, while the line moves once a second. What they cost, less what the process costs without. */
async function hold(pid: number, count: number, page: (port: number) => { port: number; run: Page }) {
  const { port, run } = page(pid === gatewayPid ? gateway.port : streamsPort);
  const idle = await use(pid, 5);
  const before = rssBytes(pid);
  const opening = cpuSec(pid);
  const connections: Connection[] = [];
  let isOver = false;
  const moving = setInterval(() => void admin.increment("held", 1), 1_000);
  const running: Promise<void>[] = [];
  while (connections.length < count) {
    const connection = new Connection(port);
    connections.push(connection);
    running.push(run(connection, () => isOver));
    if (connections.length % 100 === 0) await pause(20);
  }
  await pause(3_000);
  const openedSec = cpuSec(pid) - opening;
  const [sent, received] = [bytes.sent, bytes.received];
  const busy = await use(pid, measuredSec);
  const minute = 60 / measuredSec / count;
  const figures = {
    cpuUsPerPageMinute: round((busy - (idle * measuredSec) / 5) * 1e6 * minute),
    openingCpuUs: round((openedSec * 1e6) / count),
    bytesPerPageMinute: round((bytes.sent - sent + bytes.received - received) * minute),
    rssKbPerPage: round((rssBytes(pid) - before) / count / 1e3, 1),
  };
  clearInterval(moving);
  isOver = true;
  for (const connection of connections) connection.close();
  await pause(2_000);
  return figures;
}

/** Polls as a page does whose wait goes down from a minute to nothing, again and again. */
function poll(port: number) {
  const run: Page = async (connection, isOver) => {
    const offsetSec = waitSec * Math.random();
    let guidance = { floor_ms: 2_000, near_ceiling_ms: 15_000, ceiling_ms: 40_000, divisor: 10, spread_ms: 10_000 };
    for (let isFirst = true; !isOver(); isFirst = false) {
      const restSec = waitSec - ((performance.now() / 1_000 + offsetSec) % waitSec);
      const pauseMs = spread(pollAfterMs(guidance, 0, [restSec, restSec]), Math.random);
      await pause(isFirst ? pauseMs * Math.random() : pauseMs);
      if (isOver()) return;
      const { body } = await connection.request("GET", "/rooms/held/status");
      ({ poll: guidance } = JSON.parse(body) as { poll: typeof guidance });
    }
  };
  return { port, run };
}

function follow(port: number, every: string) {
  const run: Page = async (connection) => connection.follow(`/held?position=1000000000${every}`, () => {});
  return { port, run };
}

async function use(pid: number, sec: number): Promise<number> {
  const before = cpuSec(pid);
  await pause(sec * 1_000);
  return cpuSec(pid) - before;
}

function rssBytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1_024;
}

async function measureAllTurns(): Promise<void> {
  const visitors = { steps: 400, flow: 900 };
  const eachSecond = { floor_ms: 1_000 };
  // Half of what is left, and at last each second.
  const aimed = { floor_ms: 1_000, divisor: 2 };
  const plans: TurnsPlan[] = [
    { room: "flow-poll", visitors: visitors.flow, streams: null },
    { room: "flow-poll-1s", visitors: visitors.flow, streams: null, poll: eachSecond },
    { room: "flow-poll-aimed", visitors: visitors.flow, streams: null, poll: aimed },
    { room: "flow-push", visitors: visitors.flow, streams: streamsPort },
    { room: "steps-poll", visitors: visitors.steps, streams: null },
    { room: "steps-poll-1s", visitors: visitors.steps, streams: null, poll: eachSecond },
    { room: "steps-push", visitors: visitors.steps, streams: streamsPort },
  ];
  const measuring = Promise.all(plans.map((plan) => measureTurns(plan, gateway.port)));
  const stepping = setInterval(() => {
    for (const room of manual) if (room !== "held") void admin.increment(room, 20);
  }, 4_000);
  for (const figures of await measuring) console.log(JSON.stringify(figures));
  clearInterval(stepping);
}
