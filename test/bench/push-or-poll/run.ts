/**
 * Push or poll for the last minute of a wait (docs/decisions/0008-push-or-poll.md). `npm run build` first. `run.ts poll | stream | every [PAGES]`
 * says what so many waiting pages cost, `run.ts turns` how long they take from *served* to *entered*. Prints JSON lines.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { pollAfterMs, spread } from "../../../src/room/public-status/pacing.ts";
import { createAdmin } from "../../support/admin.ts";
import { startGateway } from "../../support/gateway.ts";
import { createHttpClient } from "../../support/http-client.ts";
import { startRedis } from "../../support/redis-server.ts";
import { cpuSec } from "../cpu.ts";
import { round } from "../medians.ts";
import { bytes, Connection } from "./connection.ts";
import { measureTurns, pause, type TurnsPlan } from "./turns.ts";

const measuredSec = 40;
const idleSec = 10;
const waitSec = 60;
const [, , way = "turns", pages = "5000"] = process.argv;
const redis = await startRedis();
const ways: Record<string, Omit<TurnsPlan, "room" | "visitors">> = {
  poll: {},
  "poll-1s": { poll: { floor_ms: 1_000 } },
  "poll-halving": { poll: { floor_ms: 1_000, divisor: 2 } },
  stream: { isStream: true },
};
const inlets = { steps: { type: "manual" }, flow: { type: "periodic", outflow_per_minute: 600 } };
const visitors = { steps: 400, flow: 900 };
const plans = (["steps", "flow"] as const).flatMap((inlet) =>
  Object.entries(ways).map(([name, plan]) => ({ inlet, visitors: visitors[inlet], room: `${inlet}-${name}`, ...plan })),
);
const rooms = plans.map(({ room, inlet }) => ({ id: room, inlet: inlets[inlet] }));
const config = { store: { type: "redis", url: redis.url }, rooms };
const gateway = await startGateway({ asProcess: true, config, env: { USHER_LOG_LEVEL: "warn" } });
const streams = fork(new URL("./streams.ts", import.meta.url), [gateway.origin], { stdio: "inherit" });
const [{ port: streamsPort }] = (await once(streams, "message")) as [{ port: number }];
const http = createHttpClient();
const admin = createAdmin(http, gateway.origin);
const moving = setInterval(() => {
  for (const { room, inlet } of plans) if (inlet === "steps") void admin.increment(room, 5);
}, 1_000);
try {
  if (way !== "turns") console.log(JSON.stringify({ way, pages, ...(await hold(Number(pages))) }));
  else await Promise.all(plans.map((plan) => measureTurns(plan, gateway.port, streamsPort)));
} finally {
  clearInterval(moving);
  streams.kill();
  http.close();
  await gateway.stop();
  await redis.stop();
}
process.exit();

/** So many pages wait, spread evenly over the last minute, while the line moves each second: what they cost, less what the process costs without. */
async function hold(count: number) {
  const pid = way === "poll" ? gateway.process().pid : (streams.pid ?? 0);
  const rss = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1.024;
  const cpuDuring = async (sec: number) => {
    const before = cpuSec(pid);
    await pause(sec * 1_000);
    return ((cpuSec(pid) - before) * 1e6) / sec;
  };
  const path = `/steps-poll?position=1000000000${way === "every" ? "&every" : ""}`;
  // Reading the status is no page's cost.
  if (way !== "poll") new Connection(streamsPort).follow("GET", path, "", () => {});
  await pause(2_000);
  const [idle, rssBefore, cpuBefore] = [await cpuDuring(idleSec), rss(), cpuSec(pid)];
  for (let page = 1; page <= count; page++) {
    if (way === "poll") void poll(new Connection(gateway.port));
    else new Connection(streamsPort).follow("GET", path, "", () => {});
    if (page % 100 === 0) await pause(20);
  }
  await pause(3_000);
  const openingCpuUs = round(((cpuSec(pid) - cpuBefore) * 1e6) / count);
  const [sent, received] = [bytes.sent, bytes.received];
  const cpuUsPerMinute = round((((await cpuDuring(measuredSec)) - idle) * 60) / count);
  const bytesPerMinute = round(((bytes.sent - sent + bytes.received - received) * 60) / measuredSec / count);
  return { cpuUsPerMinute, openingCpuUs, bytesPerMinute, rssKb: round((rss() - rssBefore) / count, 1) };
}

/** As a page does whose wait goes down from a minute to nothing, again and again. */
async function poll(connection: Connection): Promise<void> {
  const offsetSec = waitSec * Math.random();
  let guidance = { floor_ms: 2_000, near_ceiling_ms: 15_000, ceiling_ms: 40_000, divisor: 10, spread_ms: 10_000 };
  await pause(guidance.near_ceiling_ms * 0.2 * Math.random());
  for (;;) {
    const { body } = await connection.request("GET", "/rooms/steps-poll/status", "Accept-Encoding: identity\r\n");
    ({ poll: guidance } = JSON.parse(body) as { poll: typeof guidance });
    const restSec = waitSec - ((performance.now() / 1_000 + offsetSec) % waitSec);
    await pause(spread(pollAfterMs(guidance, 0, [restSec, restSec]), Math.random));
  }
}
