/**
 * The admission log from the outside: two gateways seal it side by side on one Redis, the admin API tells it to whoever may see the
 * room, a loss of the store is told and leaves the chain whole, and the commands check it and report on it.
 */
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Admin, createAdmin } from "../../support/admin.ts";
import { rememberedBy } from "../../support/checkpoints.ts";
import { ADMIN_KEY, type Gateway, startGateways } from "../../support/gateway.ts";
import { createHttpClient } from "../../support/http-client.ts";
import { type RedisDatabase, redisDatabase } from "../../support/shared-redis.ts";
import { makeTempDir, type TempDir } from "../../support/temp-dir.ts";
import { runUsher } from "../../support/usher-command.ts";

const otherKey = "key-for-another-room-0123456789abcdef";
const arrival = { interval: 250 };
const http = createHttpClient();
let redis: RedisDatabase;
let gateways: Gateway[];
let admins: Admin[];
let folder: TempDir;

beforeAll(async () => {
  redis = await redisDatabase();
  folder = await makeTempDir("logs");
  gateways = await startGateways(2, {
    config: {
      store: { type: "redis", url: redis.url },
      rooms: [{ id: "shop" }, { id: "other" }, { id: "short", admission_log: { max_entries: 20 } }],
      clients: [],
      admin: {
        keys: [{ id: "other", key_sha256: createHash("sha256").update(otherKey).digest("hex"), rooms: ["other"] }],
      },
    },
  });
  admins = gateways.map(({ origin }) => createAdmin(http, origin));
});
afterAll(async () => {
  http.close();
  await Promise.all(gateways.map((gateway) => gateway.stop()));
  await redis.refund();
  await folder.remove();
});

const at = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;

/** Lets so many visitors in, through both gateways by turns. */
async function admit(room: string, count: number): Promise<void> {
  const tickets: string[] = [];
  for (let index = 0; index < count; index++) {
    const answer = await http.request(`${at(gateways, index).origin}/rooms/${room}/tickets`, { method: "POST" });
    expect(answer.status).toBe(201);
    tickets.push((answer.json() as { ticket: string }).ticket);
  }
  // After a loss, those who may stand in the gap are served with them: it is not skipped before they have had time to show it.
  const { gaps } = (await http.get(`${at(gateways, 0).origin}/rooms/${room}/status`)).json() as {
    gaps: [number, number][];
  };
  const lost = gaps.reduce((sum, [from, to]) => sum + to - from + 1, 0);
  await at(admins, 0).increment(room, count + lost);
  for (const [index, ticket] of tickets.entries()) {
    const headers = { authorization: `Bearer ${ticket}` };
    const ask = { method: "POST", headers };
    // The other gateway hears of the increment a moment later.
    await expect
      .poll(
        async () => (await http.request(`${at(gateways, index).origin}/rooms/${room}/tickets/me/token`, ask)).status,
        arrival,
      )
      .toBe(200);
  }
}

interface Extent {
  readonly first: number;
  readonly last: number;
  readonly rows: number;
  readonly sealed: { readonly seq: number; readonly hash: string } | null;
}

const extentOf = async (room: string, gateway = 0) =>
  (await at(admins, gateway).request("GET", `/rooms/${room}/log/head`)).json() as Extent;
const logOf = async (room: string, gateway = 0, query = "") =>
  (await at(admins, gateway).request("GET", `/rooms/${room}/log${query}`)).body;

/** Until all rows are sealed. */
async function sealed(room: string): Promise<string> {
  let head = "";
  await expect
    .poll(async () => {
      const { last, sealed } = await extentOf(room);
      head = `${sealed?.seq}:${sealed?.hash}`;
      return last - (sealed?.seq ?? 0);
    }, arrival)
    .toBe(0);
  return head;
}

async function run(...args: string[]): Promise<{ code: number; output: string }> {
  const { code, printed, failure } = await runUsher(args, { env: { USHER_ADMIN_API_KEY: ADMIN_KEY } });
  return { code, output: printed + failure };
}

test("is sealed by two gateways side by side, told by both alike, and goes on over a loss of the store", async () => {
  await admit("shop", 40);
  const head = await sealed("shop");
  const before = await logOf("shop");
  expect(await logOf("shop", 1)).toBe(before);
  const lines = before.trimEnd().split("\n");
  expect(JSON.parse(at(lines, 0))).toMatchObject({ kind: "base", room: "shop", seq: 0 });
  const admissions = lines.map((line) => JSON.parse(line)).filter(({ kind }) => kind === "admission");
  expect(admissions).toHaveLength(40);
  expect(admissions[0]).toMatchObject({ position: 1, number: 1, via: "queue", wait_ms: expect.any(Number) });
  expect(before).not.toContain("sub");
  const [first, second] = gateways as [Gateway, Gateway];
  await expect
    .poll(() => first.output(), arrival)
    .toMatch(/"event":"admissions\.sealed","room":"shop","seq":\d+,"hash":"[0-9a-f]{64}"/);
  await expect.poll(() => second.output(), arrival).toContain('"event":"admissions.sealed","room":"shop"');

  const file = join(folder.path, "log.ndjson");
  await writeFile(file, before);
  expect(await run("verify-log", file, "--head", head)).toMatchObject({
    code: 0,
    output: expect.stringContaining("The chain holds"),
  });
  await writeFile(file, before.replace('"position":17', '"position":71'));
  const line = 1 + lines.findIndex((text) => text.includes('"position":17'));
  expect(await run("verify-log", file)).toMatchObject({ code: 1, output: expect.stringContaining(`line ${line}`) });
  expect(await run("verify-log", join(folder.path, "none"))).toMatchObject({
    code: 1,
    output: expect.stringContaining("cannot be read"),
  });
  expect(await run("verify-log", file, "--head", "17")).toMatchObject({
    code: 2,
    output: expect.stringContaining("64 hex digits"),
  });

  // Every process knows the head, and one of them will tell of it.
  for (const gateway of gateways) {
    const known = async () => (await rememberedBy(gateway, "shop"))?.log?.sealed;
    await expect.poll(known).toMatchObject({ seq: Number(head.split(":")[0]), hash: head.split(":")[1] });
  }
  await redis.reset();
  await expect
    .poll(async () => (await admins[0]?.request("GET", "/rooms/shop/log/head"))?.body, arrival)
    .toMatch(/"first":1000\d\d/);
  await expect
    .poll(
      async () => ((await http.get(`${first.origin}/rooms/shop/status`)).json() as { phase: string }).phase,
      arrival,
    )
    .toBe("open");
  await admit("shop", 5);
  const later = await sealed("shop");
  const after = await logOf("shop");
  await writeFile(file, before + after.slice(after.indexOf("\n") + 1));
  const whole = await run("verify-log", file, "--head", head, "--head", later);
  expect(whole).toMatchObject({ code: 0, output: expect.stringContaining("The store lost something") });

  const out = join(folder.path, "report");
  const report = await run("report", "--url", second.origin, "--room", "shop", "--out", out, "--head", head);
  expect(report).toMatchObject({ code: 0, output: expect.stringContaining("report.html") });
  const json = JSON.parse(await readFile(join(out, "report.json"), "utf8"));
  expect(json).toMatchObject({
    room: "shop",
    log: { chain: "holds", heads: [{ result: "matches" }] },
    admissions: { total: 5 },
    order: { inversions: 0, kendall_tau: 1 },
    recoveries: [{}],
  });
  expect(await readFile(join(out, "report.html"), "utf8")).toContain("<svg");
  expect(await readFile(join(out, "log.ndjson"), "utf8")).toContain(after.trimEnd());
  expect(await run("report", file, "--out", out, "--edition", "5")).toMatchObject({
    code: 1,
    output: expect.stringContaining("no edition 5"),
  });
  expect(await run("report", "--url", second.origin, "--room", "nobody", "--out", out)).toMatchObject({
    code: 1,
    output: expect.stringContaining("unknown_room"),
  });
});

test("is told to keys of the room alone, from any row on, and keeps as many rows as it may", async () => {
  await admit("short", 45);
  await sealed("short");
  await expect.poll(async () => (await extentOf("short")).rows, arrival).toBeLessThanOrEqual(20);
  const { first, last } = await extentOf("short");
  const answer = await at(admins, 0).request("GET", `/rooms/short/log?from=${last - 4}`);
  expect(answer.headers["content-type"]).toBe("application/x-ndjson");
  expect(answer.headers["cache-control"]).toBe("no-store");
  const lines = answer.body
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.map(({ seq }) => seq)).toEqual([last - 5, last - 4, last - 3, last - 2, last - 1, last]);
  const file = join(folder.path, "short.ndjson");
  await writeFile(file, answer.body);
  expect((await run("verify-log", file)).code).toBe(0);
  await writeFile(file, await logOf("short"));
  expect(await run("verify-log", file)).toMatchObject({
    code: 0,
    output: expect.stringContaining(`behind row ${first - 1}`),
  });

  const status = async (path: string, key?: string) => {
    const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
    return (await http.get(`${at(gateways, 0).origin}/admin/rooms/${path}`, headers)).status;
  };
  expect(await status("short/log")).toBe(401);
  expect(await status("short/log", otherKey)).toBe(403);
  expect(await status("short/log/head", otherKey)).toBe(403);
  expect(await status("other/log", otherKey)).toBe(200);
  expect(await status("short/log?from=x", ADMIN_KEY)).toBe(400);
  expect(await status("nobody/log", ADMIN_KEY)).toBe(404);
});
