/** Goal: a staging gateway that is started on production's Redis changes nothing there, says why, and is seen; until it has keys of its own, or an operator's word. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAdmin } from "../../support/admin.ts";
import { type Gateway, startGateway } from "../../support/gateway.ts";
import { createHttpClient, type HttpClient } from "../../support/http-client.ts";
import { type RedisDatabase, redisDatabase } from "../../support/shared-redis.ts";
import { runUsher } from "../../support/usher-command.ts";

let redis: RedisDatabase;
let http: HttpClient;
let production: Gateway;
let staging: Gateway;

const configOf = (title: string, limit: number, store: object = {}) => ({
  store: { type: "redis", url: redis.url, ...store },
  rooms: [{ id: "line", title, inlet: { type: "periodic", outflow_per_minute: limit } }],
  clients: [
    { client_id: "site", client_secret: "s".repeat(32), redirect_uris: ["https://site.example/cb"], room: "line" },
  ],
});

beforeAll(async () => {
  redis = await redisDatabase();
  http = createHttpClient();
  production = await startGateway({ config: configOf("Production", 6_000) });
  staging = await startGateway({ config: configOf("Staging", 60), waitUntilReady: false });
});

afterAll(async () => {
  http.close();
  await Promise.all([production.stop(), staging.stop()]);
  await redis.refund();
});

const readiness = async (gateway: Gateway) => {
  const answer = await http.get(`${gateway.origin}/readyz`);
  return { ...(answer.json() as { faults?: string[]; warnings?: string[] }), status: answer.status };
};
const room = async (gateway: Gateway) => (await createAdmin(http, gateway.origin).request("GET", "/rooms/line")).json();

test("a stranger says whose the store is, and how to mend it", async () => {
  const { status, faults } = await readiness(staging);
  expect(status).toBe(503);
  expect(faults?.join()).toContain(`belongs to another installation (issuer ${production.issuer}, ticket keys `);
  expect(faults?.join()).toContain(`and this one is issuer ${staging.issuer}, `);
  expect(faults?.join()).toContain("store.prefix");
  await staging.waitForOutput(/"store\.of_another_installation"/);
});

test("it puts no settings in force and obeys nobody", async () => {
  const before = (await room(production)) as { edition: number; phase: string };
  for (const step of ["reset", "end", "pause"]) {
    const { status } = await createAdmin(http, staging.origin).request("POST", `/rooms/line/${step}`);
    expect(status, step).toBe(503);
  }
  expect((await http.request(`${staging.origin}/rooms/line/tickets`, { method: "POST" })).status).toBe(503);
  const after = (await room(production)) as { edition: number; phase: string };
  expect(after).toMatchObject({ title: "Production", edition: before.edition, phase: before.phase });
  expect(JSON.stringify(after)).toContain('"outflow_per_minute":6000');
  expect((await http.request(`${production.origin}/rooms/line/tickets`, { method: "POST" })).status).toBe(201);
});

test("an operator of the stranger is told whose the store is; a visitor is not", async () => {
  const told: Record<string, boolean> = {};
  for (const [method, path, body] of [
    ["POST", "/rooms/line/pause", undefined],
    ["POST", "/rooms/line/serving", { increment_by: 1 }],
    ["PATCH", "/rooms/line", { title: "Staging" }],
    ["POST", "/rooms/line/bypass", { note: "crew" }],
    ["GET", "/rooms/line/statistics", undefined],
    ["GET", "/rooms/line/admissions", undefined],
    ["POST", "/rooms", { id: "more" }],
    ["GET", "/audit", undefined],
    ["POST", "/webhooks", { url: "https://hooks.example.com/", types: ["usher.room.sold_out"] }],
    ["GET", "/rooms/line/events", undefined],
  ] as const) {
    const answer = await createAdmin(http, staging.origin).request(method, path, body);
    const text = answer.status === 503 ? (answer.json() as { error_description: string }).error_description : "";
    told[`${method} ${path}: ${answer.status}`] =
      text.includes(`another installation (issuer ${production.issuer}`) && text.includes("usher adopt");
  }
  expect(Object.entries(told).filter(([, isTold]) => !isTold)).toEqual([]);
  for (const authorization of ["", "Bearer another-key-of-nobody-0123456789abcdef"]) {
    const headers = authorization === "" ? {} : { authorization };
    const refused = await http.request(`${staging.origin}/admin/rooms/line/pause`, { method: "POST", headers });
    expect(refused.body).not.toContain("installation");
  }
  expect((await http.request(`${staging.origin}/rooms/line/tickets`, { method: "POST" })).body).not.toContain(
    "installation",
  );
});

test("production stays ready, and names it as a warning, as its log does", async () => {
  await expect
    .poll(() => readiness(production))
    .toMatchObject({ status: 200, warnings: [expect.stringContaining(`${staging.issuer} at 127.0.0.1`)] });
  await production.waitForOutput(/"gateway\.warning"[^\n]*another installation[^\n]*at 127\.0\.0\.1/);
});

test("with a prefix of its own it lives beside production", async () => {
  const beside = await startGateway({ config: configOf("Beside", 60, { prefix: "staging" }) });
  try {
    expect((await readiness(beside)).status).toBe(200);
    expect(await room(beside)).toMatchObject({ title: "Beside" });
    expect(await room(production)).toMatchObject({ title: "Production" });
  } finally {
    await beside.stop();
  }
});

test("an operator's word gives it the store; what had it before is the stranger then", async () => {
  const env = { USHER_SECRETS_FILE: staging.secretsFile };
  const args = ["adopt", "--config", staging.configFile];
  const refused = await runUsher(args, { env });
  expect([refused.code, refused.failure]).toEqual([1, expect.stringContaining("--yes")]);
  const done = await runUsher([...args, "--yes"], { env });
  expect([done.code, done.failure]).toEqual([0, ""]);
  expect(done.printed).toContain(`store belongs to ${staging.issuer} now; before, to ${production.issuer}.`);
  await staging.waitUntilReady();
  await expect.poll(async () => (await readiness(production)).status).toBe(503);
});
