/** Goal: a staging gateway that is started on production's Redis changes nothing there, says why, and is seen; until it has keys of its own, or an operator's word. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createAdmin } from "../../support/admin.ts";
import { type Gateway, startGateway } from "../../support/gateway.ts";
import { createHttpClient, type HttpClient } from "../../support/http-client.ts";
import { type RedisServer, startRedis } from "../../support/redis-server.ts";
import { runUsher } from "../../support/usher-command.ts";

let redis: RedisServer;
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
  redis = await startRedis();
  http = createHttpClient();
  production = await startGateway({ config: configOf("Production", 6_000) });
  staging = await startGateway({ config: configOf("Staging", 60), waitUntilReady: false });
});

afterAll(async () => {
  http.close();
  await Promise.all([production.stop(), staging.stop()]);
  await redis.stop();
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
  await staging.process().waitForOutput(/"store\.of_another_installation"/);
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

test("production stays ready, and names it as a warning, as its log does", async () => {
  await vi.waitFor(
    async () => {
      const { status, warnings } = await readiness(production);
      expect(status).toBe(200);
      expect(warnings).toEqual([expect.stringContaining(`${staging.issuer} at 127.0.0.1`)]);
    },
    { timeout: 20_000, interval: 500 },
  );
  await production.process().waitForOutput(/"gateway\.warning"[^\n]*another installation[^\n]*at 127\.0\.0\.1/);
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
  await vi.waitFor(async () => expect((await readiness(production)).status).toBe(503), {
    timeout: 20_000,
    interval: 500,
  });
});
