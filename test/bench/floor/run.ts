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
  const figures = {
    ...parked,
    loginCpuUs: perLogin.whole,
    loginBehindCodeCpuUs: perLogin.behindCode,
    loginInBareRequests: perLogin.whole / parked.bareCpuUs,
  };
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

/** CPU time of `/auth`, `/token` and `/me` in microseconds: of a whole login, and of what comes behind the code. */
async function measureLogins(): Promise<{ whole: number; behindCode: number }> {
  const { child, port } = await begin("provider-server.ts");
  const http = createHttpClient();
  const origin = `http://localhost:${port}`;
  const redirect_uri = "https://site.example.test/cb";
  const authorization = `Basic ${Buffer.from(`site:${"x".repeat(32)}`).toString("base64")}`;
  const asked = new URLSearchParams({ client_id: "site", redirect_uri, response_type: "code", scope: "openid" });
  const authorize = async (index: number) => {
    const { headers } = await http.get(`${origin}/auth?${asked}&state=state-${index}&nonce=nonce-${index}`, page);
    const code = new URL(headers.location ?? "", origin).searchParams.get("code");
    if (code === null) throw new Error(`no code: ${headers.location}`);
    return code;
  };
  const redeem = async (code: string) => {
    const body = new URLSearchParams({ grant_type: "authorization_code", code, redirect_uri });
    const answer = await http.request(`${origin}/token`, { method: "POST", headers: { authorization }, body });
    const { access_token: token } = answer.json() as { access_token?: string };
    if (token === undefined) throw new Error(`no token: ${answer.body}`);
    const { status } = await http.get(`${origin}/me`, { authorization: `Bearer ${token}` });
    if (status !== 200) throw new Error(`userinfo answered ${status}`);
  };
  const inEights = async <T>(items: readonly T[], work: (item: T) => Promise<unknown>) => {
    const left = [...items];
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item);
      }),
    );
  };
  const run = async (): Promise<[whole: number, behindCode: number]> => {
    const codes: string[] = [];
    const usedUs = () => cpuSec(child.pid ?? 0) * 1e6;
    const before = usedUs();
    await inEights([...Array(logins).keys()], async (index) => codes.push(await authorize(index)));
    const between = usedUs();
    await inEights(codes, redeem);
    const after = usedUs();
    return [(after - before) / logins, (after - between) / logins];
  };
  for (let warmUp = 0; warmUp < 15; warmUp++) await run();
  const turns = [];
  for (let round = 0; round < 3 * rounds; round++) turns.push(await run());
  http.close();
  return { whole: median(turns.map(([whole]) => whole)), behindCode: median(turns.map(([, behind]) => behind)) };
}
