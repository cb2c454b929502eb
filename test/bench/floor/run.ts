/**
 * What is out of reach: the least that a parked page and a login take on Node.js, beside the bare server that the bench measures by.
 * `npx tsx test/bench/floor/run.ts`; prints JSON. Takes half a minute.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { startGateway } from "../../support/gateway.ts";
import { createHttpClient } from "../../support/http-client.ts";
import { startRedis } from "../../support/redis-server.ts";
import { fetchRaw } from "../compare.ts";
import { cpuSec } from "../cpu.ts";
import { load } from "../load.ts";
import { median } from "../medians.ts";
import { page, query, redirectUri } from "../requests.ts";

const rounds = 5;
const durationSec = 2;
/** The adapter of oidc-provider keeps a thousand records: for each a grant, a code, a token, and where they are found. */
const logins = 100;
const started: ChildProcess[] = [];

try {
  const parked = await measureParked();
  const perLogin = await measureLogins();
  const figures = { ...parked, loginCpuUs: perLogin, loginInBareRequests: perLogin / parked.bareCpuUs };
  console.log(
    JSON.stringify(
      { node: process.version, ...figures },
      (_, value) => (typeof value === "number" ? Number(value.toPrecision(3)) : value),
      2,
    ),
  );
} finally {
  for (const each of started) each.kill();
}

async function begin(file: string): Promise<{ child: ChildProcess; port: number }> {
  const child = fork(new URL(file, import.meta.url), {
    stdio: "inherit",
    env: { ...process.env, NODE_ENV: "production" },
  });
  started.push(child);
  const [{ port }] = (await once(child, "message")) as [{ port: number }];
  return { child, port };
}

async function measureParked() {
  const redis = await startRedis();
  const gateway = await startGateway({
    asProcess: true,
    config: {
      store: { type: "redis", url: redis.url },
      listen: { trusted_proxies: ["127.0.0.1/32"] },
      rooms: [{ id: "line", title: "Autumn tour tickets", inlet: { type: "manual" } }],
      clients: [{ client_id: "site", client_secret: "x".repeat(32), redirect_uris: [redirectUri], room: "line" }],
    },
  });
  const sample = await fetchRaw({ url: `${gateway.origin}/authorize?${query}`, headers: page });
  await gateway.stop();
  await redis.stop();
  const servers = [await begin("../bare-server.ts"), await begin("least-server.ts")] as const;
  const cpuUs: [number[], number[]] = [[], []];
  for (const { child, port } of servers) {
    child.send({ status: sample.status, headers: sample.headers, body: sample.body.toString("base64") });
    await once(child, "message");
    await load({ url: `http://127.0.0.1:${port}/authorize?${query}`, headers: page, durationSec });
  }
  for (let round = 0; round < rounds; round++) {
    for (const [index, { child, port }] of servers.entries()) {
      const before = cpuSec(child.pid ?? 0);
      const { total, failures } = await load({
        url: `http://127.0.0.1:${port}/authorize?${query}`,
        headers: page,
        durationSec,
      });
      if (failures > 0) throw new Error(`${failures} requests failed`);
      cpuUs[index as 0 | 1].push(((cpuSec(child.pid ?? 0) - before) * 1e6) / total);
    }
  }
  const ratios = cpuUs[1].map((least, round) => least / (cpuUs[0][round] ?? Number.NaN));
  return { bareCpuUs: median(cpuUs[0]), leastCpuUs: median(cpuUs[1]), ratio: median(ratios) };
}

/** CPU time of `/token` and `/userinfo` together, in microseconds. */
async function measureLogins(): Promise<number> {
  const { child, port } = await begin("provider-server.ts");
  const http = createHttpClient();
  const origin = `http://localhost:${port}`;
  const authorization = `Basic ${Buffer.from(`site:${"x".repeat(32)}`).toString("base64")}`;
  const redeem = async (code: string) => {
    const body = new URLSearchParams({
      grant_type: "authorization_code",
      code,
      redirect_uri: "https://site.example.test/cb",
    });
    const answer = await http.request(`${origin}/token`, { method: "POST", headers: { authorization }, body });
    const { access_token: token } = answer.json() as { access_token?: string };
    if (token === undefined) throw new Error(`no token: ${answer.body}`);
    const { status } = await http.get(`${origin}/me`, { authorization: `Bearer ${token}` });
    if (status !== 200) throw new Error(`userinfo answered ${status}`);
  };
  const run = async (): Promise<number> => {
    child.send(logins);
    const [{ codes }] = (await once(child, "message")) as [{ codes: string[] }];
    const before = cpuSec(child.pid ?? 0);
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let code = codes.pop(); code !== undefined; code = codes.pop()) await redeem(code);
      }),
    );
    return ((cpuSec(child.pid ?? 0) - before) * 1e6) / logins;
  };
  for (let warmUp = 0; warmUp < 15; warmUp++) await run();
  const cpuUs = [];
  for (let round = 0; round < 3 * rounds; round++) cpuUs.push(await run());
  http.close();
  return median(cpuUs);
}
