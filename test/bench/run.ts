/**
 * `npm run bench`: measures a real gateway on a real Redis against a bare node:http server in the same run and prints JSON: CPU time per
 * request of both, and their ratios, which are the budgets; absolute figures are this machine's. Exits with 1 when a budget is missed
 * (`--report` only reports; `--write` puts what was measured where `usher plan` reckons by it). `BENCH_SECONDS` of one turn, `BENCH_ROUNDS` turns of each.
 */

import { existsSync } from "node:fs";
import type { BenchFigures } from "../../src/features/plan/bench-figures.ts";
import { createAdmin } from "../support/admin.ts";
import { startGateway } from "../support/gateway.ts";
import { createHttpClient } from "../support/http-client.ts";
import { memoryOfKeys } from "../support/memory-of-keys.ts";
import { startRedis } from "../support/redis-server.ts";
import { measureLinked, startScales } from "./bytes.ts";
import { type Asked, type Comparison, fetchRaw, startComparing } from "./compare.ts";
import { measureConsoles } from "./consoles.ts";
import { measureDefences } from "./defences.ts";
import { measureDraw } from "./draw.ts";
import { measureHomeMade } from "./home-made/measure.ts";
import { measureLogins } from "./logins.ts";
import { round } from "./medians.ts";
import { metricSum } from "./metric-sum.ts";
import { gzip, page, query, redirectUri } from "./requests.ts";
import { measureJoinCalls } from "./scale/join-calls.ts";
import { storeUse, useOfEach } from "./store-figures.ts";
import { writeFigures } from "./write-figures.ts";

const durationSec = Number(process.env.BENCH_SECONDS ?? 3);
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);

const site = "https://site.example.test/";

/** Of a feature that may be taken away. */
interface HomeBench {
  readonly config: Readonly<Record<string, unknown>>;
  measureDecode(): number;
  measureQueueNum(origin: string, compare: (asked: Asked) => Promise<Comparison>): Promise<Comparison>;
}
const ofHome = new URL("../features/aws-home/support/bench.ts", import.meta.url);
const home: HomeBench | null = existsSync(ofHome) ? await import(ofHome.href) : null;

const redis = await startRedis();
const client = { client_secret: "x".repeat(32), redirect_uris: [redirectUri] };
const gateway = await startGateway({
  asProcess: true,
  config: {
    ...home?.config,
    store: { type: "redis", url: redis.url },
    rooms: [
      { id: "line", title: "Autumn tour tickets", inlet: { type: "manual" } },
      { id: "open", title: "Open house", inlet: { type: "manual" }, targets: [site] },
      { id: "held", title: "A full house", inlet: { type: "max_active", max_active: 1 } },
    ],
    clients: [
      { ...client, client_id: "site", room: "line" },
      { ...client, client_id: "open", room: "open" },
    ],
  },
  env: { USHER_LOG_LEVEL: "warn" },
});
const pid = gateway.process().pid;
const comparing = await startComparing(pid, { rounds, durationSec });
const { compare } = comparing;
const http = createHttpClient();
const admin = createAdmin(http, gateway.origin);

try {
  const authorize = `${gateway.origin}/authorize?${query}`;
  const before = await storeFigures();
  const joinUse = await storeUse(redis);
  const join = await compare({ url: authorize, headers: page });
  const joinUseAfter = await storeUse(redis);
  // By now the room's state has all of its fields.
  const between = await storeFigures();
  const joinGzip = await compare({ url: authorize, headers: gzip });
  const after = await storeFigures();
  const joined = after.joins - before.joins;

  const cookie = await cookieOf(authorize);
  const reload = await compare({ url: authorize, headers: { ...page, cookie } });
  const reloadGzip = await compare({ url: authorize, headers: { ...gzip, cookie } });
  const status = await compare({ url: `${gateway.origin}/rooms/line/status`, headers: {} });
  const pace = await compare({ url: `${gateway.origin}/rooms/line/pace`, headers: {} });
  const place = await compare({ url: ticketsOf("line", "/me"), headers: bearer(await take("line")) });
  const queueNum = await home?.measureQueueNum(gateway.origin, compare);
  const decodeUs = home?.measureDecode();
  const heldClaim = await compare(await aHeldClaim());
  const forwardAuth = await compare(await anAdmittedRequest());
  await admin.increment("open", 1_000_000);
  const loginUse = await useOfEach(
    redis,
    () => measureLogins(gateway, redirectUri, 400),
    ({ all }) => all,
  );
  const logins = loginUse.made;
  const draw = measureDraw(1_000_000);
  const consoles = await measureConsoles(rounds);
  const defences = await measureDefences(rounds);
  const homeMade = await measureHomeMade(rounds, durationSec);
  const storeUs = {
    join: (joinUseAfter.cpuUs - joinUse.cpuUs) / (between.joins - before.joins),
    login: loginUse.cpuUs,
  };
  const pageBytes = (await fetchRaw({ url: authorize, headers: gzip })).body.length;

  const perPlace = ({ cpuUs }: Comparison) => round(cpuUs.median / place.cpuUs.median, 2);
  const figures = {
    join,
    join_gzip: joinGzip,
    reload,
    reload_gzip: reloadGzip,
    status,
    pace,
    place,
    ...(queueNum && { aws_queue_num: queueNum, aws_queue_num_in_places: perPlace(queueNum) }),
    ...(decodeUs !== undefined && { aws_request_id_decode_us: round(decodeUs, 1) }),
    held_claim: heldClaim,
    forward_auth: forwardAuth,
    logins,
    login_in_bare_requests: round((logins.cpuMs * 1_000) / join.bareCpuUs.median, 1),
    joined,
    /** CPU time of the store, in microseconds, with its share of what comes with the seconds. */
    store_cpu_us: { join: round(storeUs.join), login: round(storeUs.login) },
    /** Memory of the store, in bytes, with its tokens and session. */
    store_bytes_per_admission: round(loginUse.bytes),
    store_commands_per_join: round((after.commands - before.commands) / joined, 3),
    store_bytes_per_waiting_visitor: round(
      Math.max(0, after.keysBytes - between.keysBytes) / (after.joins - between.joins),
      3,
    ),
    /** The same work by a waiting room that is made by hand. */
    home_made: homeMade,
    draw,
    consoles,
    /** CPU time of a join by the JSON API, in microseconds, by what has to be looked at; work: with the challenge before it. */
    defence_cpu_us: defences,
    /** Answers of the bare server that take as much CPU time in a second as the consoles do. */
    consoles_in_bare_answers: round((consoles.cpuMsPerSecondAdded * 1_000) / status.bareCpuUs.median),
    page_bytes_compressed: pageBytes,
    requests_to_draw_the_page: 1,
  };
  const isWithin = ({ ratio }: Comparison, most: number) => ratio.median <= most;
  const budgets = {
    "a join ≤ 2.0 × bare": isWithin(join, 2),
    "a join ≤ 2.0 × bare (gzip)": isWithin(joinGzip, 2),
    "a reload ≤ 1.7 × bare": isWithin(reload, 1.7),
    "a reload ≤ 1.7 × bare (gzip)": isWithin(reloadGzip, 1.7),
    "status ≤ 1.15 × bare": isWithin(status, 1.15),
    "pace ≤ 1.15 × bare": isWithin(pace, 1.15),
    "an app's own place ≤ 1.7 × bare": isWithin(place, 1.7),
    ...(queueNum && { "queue_num of AWS ≤ 1.3 × an app's own place": perPlace(queueNum) <= 1.3 }),
    ...(decodeUs !== undefined && { "reading a request id of AWS ≤ 10 µs": decodeUs <= 10 }),
    "a login ≤ 40 bare requests": figures.login_in_bare_requests <= 40,
    "store commands per join < 0.1": figures.store_commands_per_join < 0.1,
    "store bytes per waiting visitor = 0": figures.store_bytes_per_waiting_visitor < 0.01,
    "a million entries of a draw < 1 s of CPU": draw.cpuSec < 1,
    "ten consoles ≤ the CPU time of 300 bare answers a second": figures.consoles_in_bare_answers <= 300,
    "limits or rules ≤ 1.5 × a join without": Math.max(defences.limits, defences.rules) <= 1.5 * defences.off,
    "an entry of a draw ≤ 2.5 × a join without": defences.entry <= 2.5 * defences.off,
    "an invitation ≤ 4 × a join without": defences.invitation <= 4 * defences.off,
    "challenge and proof ≤ 15 × a join without": defences.work <= 15 * defences.off,
    "page ≤ 14 kB compressed": pageBytes <= 14_000,
  };
  if (process.argv.includes("--write")) {
    const statusUrl = `${gateway.origin}/rooms/line/status`;
    const { poll } = JSON.parse((await fetchRaw({ url: statusUrl, headers: {} })).body.toString()) as {
      poll: BenchFigures["poll"];
    };
    const { linked, files, fileCpuUs } = await measureLinked({ rounds, durationSec });
    const scales = await startScales(gateway.origin);
    // As of a Redis that has much to do: what it is planned for.
    const [call] = await measureJoinCalls({ connections: 8, pauseMs: 0, callsPerRound: 1_600, rounds }, [16]);
    writeFigures({
      cpuUs: {
        join: joinGzip.cpuUs.median,
        reload: reloadGzip.cpuUs.median,
        pace: pace.cpuUs.median,
        file: fileCpuUs,
        login: logins.cpuMs * 1_000,
      },
      store: { joinCallCpuUs: call?.cpuUs ?? Number.NaN, admissionBytes: loginUse.bytes },
      bytes: {
        inline: await scales.weigh({ url: authorize, headers: gzip }),
        linked,
        files,
        status: await scales.weigh({ url: statusUrl, headers: gzip }),
        pace: await scales.weighPace("line"),
        reopening: await scales.weighReopening("line"),
        login: logins.bytes,
      },
      poll,
    });
    await scales.stop();
  }
  console.log(JSON.stringify({ node: process.version, durationSec, rounds, ...figures, budgets }, null, 2));
  if (Object.values(budgets).includes(false) && !process.argv.includes("--report")) process.exitCode = 1;
} finally {
  comparing.stop();
  http.close();
  await gateway.stop();
  await redis.stop();
}

function ticketsOf(room: string, path = ""): string {
  return `${gateway.origin}/rooms/${room}/tickets${path}`;
}

function bearer(ticket: string): Record<string, string> {
  return { authorization: `Bearer ${ticket}` };
}

async function take(room: string): Promise<string> {
  const answer = await http.request(ticketsOf(room), { method: "POST" });
  return (answer.json() as { ticket: string }).ticket;
}

/** The claim of a visitor whose turn it is, and for whom there is no room: each asks the store. */
async function aHeldClaim(): Promise<Asked> {
  const [first, second] = [await take("held"), await take("held")];
  const claim = (ticket: string): Asked => {
    return { method: "POST", url: ticketsOf("held", "/me/claim"), headers: bearer(ticket) };
  };
  await until(claim(first), (answer) => answer.state === "admitted");
  await admin.increment("held", 1);
  const held = claim(second);
  await until(held, (answer) => answer.held_by === "capacity");
  return held;
}

/** A request to a site behind forward authentication, with a good token in its cookie. */
async function anAdmittedRequest(): Promise<Asked> {
  const ticket = await take("open");
  await admin.increment("open", 1);
  const asked: Asked = { method: "POST", url: ticketsOf("open", "/me/token"), headers: bearer(ticket) };
  const { token } = (await until(asked, (answer) => answer.token !== undefined)) as { token: string };
  return {
    url: `${gateway.origin}/rooms/open/verify`,
    headers: { "x-original-url": `${site}seats`, cookie: `__Host-usher-open.admission=${token}` },
  };
}

async function until(asked: Asked, isDone: (answer: Record<string, unknown>) => boolean) {
  for (let attempt = 0; attempt < 100; attempt++) {
    const { body } = await fetchRaw(asked);
    const answer = JSON.parse(body.toString()) as Record<string, unknown>;
    if (isDone(answer)) return answer;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${asked.url} does not answer as it should`);
}

async function cookieOf(url: string): Promise<string> {
  const { headers } = await fetchRaw({ url, headers: {} });
  const index = headers.findIndex((name) => name.toLowerCase() === "set-cookie");
  return (headers[index + 1] ?? "").split(";")[0] ?? "";
}

/** What the gateway sent to the store, and what the room takes there. */
async function storeFigures(): Promise<{ commands: number; joins: number; keysBytes: number }> {
  const { body } = await http.get(`${gateway.origin}/metrics`);
  return {
    commands: metricSum(body, "usher_store_commands_total"),
    joins: metricSum(body, "usher_joins_total"),
    keysBytes: await memoryOfKeys(redis, "*{line}*"),
  };
}
