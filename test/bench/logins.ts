import type { ProcessGateway } from "../support/gateway.ts";
import { createHttpClient } from "../support/http-client.ts";
import { createVisitor } from "../support/visitor.ts";
import { cpuSec } from "./cpu.ts";

export interface LoginFigures {
  readonly count: number;
  /** With those before, which are not measured. */
  readonly all: number;
  /** What the gateway's answers to one login weigh, their headers included. */
  readonly bytes: number;
  /** CPU time of the gateway for authorize, token and userinfo together, in milliseconds. */
  readonly cpuMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const warmUpCount = 1_000;

/** Whole logins of visitors who are served at once, a few at a time, and the CPU time they take. */
export async function measureLogins(
  gateway: ProcessGateway,
  redirectUri: string,
  count: number,
): Promise<LoginFigures> {
  const http = createHttpClient();
  const authorization = `Basic ${Buffer.from(`open:${"x".repeat(32)}`).toString("base64")}`;
  let bytes = 0;
  const login = async (index: number) => {
    const visitor = createVisitor({ http });
    const query = new URLSearchParams({
      client_id: "open",
      redirect_uri: redirectUri,
      response_type: "code",
      scope: "openid",
      state: `state-${index}`,
      nonce: `nonce-${index}`,
    });
    const started = performance.now();
    const page = await visitor.navigate(`${gateway.origin}/authorize?${query}`, {
      stopAt: (url) => url.href.startsWith(redirectUri),
    });
    const code = page.location?.searchParams.get("code");
    if (!code) throw new Error(`no code: ${page.status} ${page.location}`);
    const body = new URLSearchParams({ grant_type: "authorization_code", code, redirect_uri: redirectUri });
    const tokens = await http.request(`${gateway.origin}/token`, { method: "POST", headers: { authorization }, body });
    const { access_token: token } = tokens.json() as { access_token: string };
    const userinfo = await http.get(`${gateway.origin}/userinfo`, { authorization: `Bearer ${token}` });
    bytes = [page, tokens, userinfo].reduce(
      (sum, { headers, body: text }) => sum + text.length + Buffer.byteLength(JSON.stringify(headers)),
      0,
    );
    if (userinfo.status !== 200) throw new Error(`userinfo answered ${userinfo.status}`);
    return performance.now() - started;
  };
  const run = async (from: number, to: number) => {
    const times: number[] = [];
    let next = from;
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        while (next < to) times.push(await login(next++));
      }),
    );
    return times.sort((a, b) => a - b);
  };

  // The first thousand run before the compiler has seen them often enough.
  await run(0, warmUpCount);
  const pid = gateway.process().pid;
  const before = cpuSec(pid);
  const times = await run(warmUpCount, warmUpCount + count);
  const cpuMs = ((cpuSec(pid) - before) * 1_000) / count;
  http.close();
  const at = (share: number) => Math.round((times[Math.floor(times.length * share)] ?? 0) * 10) / 10;
  return {
    count,
    all: warmUpCount + count,
    bytes,
    cpuMs: Math.round(cpuMs * 100) / 100,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
  };
}
