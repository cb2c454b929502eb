/**
 * Goal: an installation that is lost as a whole in the middle of a sale, the store, the machine and its files, goes on from a backup, and
 * nobody loses a place or gets another's. Method: a gateway on Redis; people join, settings, clients and keys are changed, a backup is
 * made, more people join. Then all is ended and deleted, the backup is imported on an empty machine, and a gateway starts on an empty Redis.
 */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "../../../fault/heard.ts";
import { clientOf, joinAll, joinLine, newPerson, type Person, visit } from "../../../fault/people.ts";
import { createAdmin } from "../../../support/admin.ts";
import { ADMIN_KEY, type Gateway, startGateway } from "../../../support/gateway.ts";
import { createHttpClient } from "../../../support/http-client.ts";
import { type RedisServer, startRedis } from "../../../support/redis-server.ts";
import { makeTempDir, type TempDir } from "../../../support/temp-dir.ts";
import { runUsher } from "../../../support/usher-command.ts";

const http = createHttpClient();
const passphrase = "a passphrase that is long enough";
let redis: RedisServer;
let gateway: Gateway;
let folder: TempDir;
let backup: string;

const config = () => ({
  store: { type: "redis", url: redis.url },
  rooms: [
    { id: "line", inlet: { type: "manual" } },
    { id: "shop", inlet: { type: "periodic", outflow_per_minute: 600 } },
  ],
  clients: ["line", "shop"].map(clientOf),
});
const env = () => ({
  USHER_ADMIN: gateway.operatorsOrigin,
  USHER_ADMIN_API_KEY: ADMIN_KEY,
  USHER_BACKUP_PASSPHRASE: passphrase,
  USHER_SECRETS_FILE: gateway.secretsFile,
});
const usher = (...args: string[]) => runUsher(args, { env: env() });
const admin = (method: "GET" | "POST" | "PATCH", path: string, body?: object) =>
  createAdmin(http, gateway.origin).request(method, path, body);
const roomNow = async (room: string) => (await admin("GET", `/rooms/${room}`)).json() as Record<string, unknown>;

beforeAll(async () => {
  redis = await startRedis();
  folder = await makeTempDir("backup");
  gateway = await startGateway({ config: config() });
});
afterAll(async () => {
  await gateway.stop();
  await redis.stop();
  await folder.remove();
  http.close();
});

test("all that was lost goes on, with everybody's place", { timeout: 180_000 }, async () => {
  const early = await joinAll(http, [gateway.origin], "line", 40);
  await createAdmin(http, gateway.origin).increment("line", 10);
  const inside = early.slice(0, 5);
  await until(async () => expect(await roomNow("line")).toMatchObject({ serving: 10 }));
  for (const person of inside) expect(await visit(http, gateway.origin, person)).toMatchObject({ kind: "code" });
  expect((await admin("PATCH", "/rooms/shop", { max_waiting: 5000 })).status).toBe(200);
  expect((await usher("rate", "shop", "300")).code).toBe(0);
  const made = await admin("POST", "/clients", {
    client_id: "made",
    redirect_uris: ["https://made.example.test/callback"],
    room: "line",
  });
  expect(made.status).toBe(201);
  const { client_secret: secret } = made.json() as { client_secret: string };
  expect((await admin("POST", "/rooms", { id: "later", title: "Later", inlet: { type: "manual" } })).status).toBe(201);
  await until(async () => expect(await roomNow("later")).toMatchObject({ phase: "open" }));
  const later = await joinAll(http, [gateway.origin], "line", 5);
  expect((await admin("POST", "/keys", { purpose: "tickets" })).status).toBe(201);
  const night = (await admin("POST", "/api-keys", { id: "night-shift", role: "operator" })).json() as {
    secret: string;
  };

  backup = join(folder.path, "usher.json");
  expect(await usher("export", "--out", backup, "--config", gateway.configFile)).toMatchObject({
    code: 0,
    printed: expect.stringMatching(/Written: .*usher\.json \(3 rooms, \d+ lines of the audit, with keys\)/),
  });
  expect(statSync(backup).mode & 0o777).toBe(0o600);
  const kept = readFileSync(backup, "utf8");
  for (const word of [
    secret,
    night.secret,
    ADMIN_KEY,
    JSON.parse(readFileSync(gateway.secretsFile, "utf8")).tickets[0],
  ])
    expect(kept).not.toContain(word);

  // Nobody knows of these but their browsers.
  const unseen = await joinAll(http, [gateway.origin], "line", 15);
  const auditBefore = ((await admin("GET", "/audit?limit=500")).json() as { rows: { seq: number }[] }).rows;
  const [port, issuer] = [gateway.port, gateway.issuer];
  await gateway.stop();
  await redis.stop();

  // Another machine.
  redis = await startRedis();
  const secretsFile = join(folder.path, "new-machine", "secrets.json");
  const halted = await startGateway({
    config: { ...config(), issuer },
    port,
    secretsFile: join(folder.path, "other.json"),
  });
  await halted.halt();
  const imported = await runUsher(["import", backup, "--config", halted.configFile], {
    env: { USHER_BACKUP_PASSPHRASE: passphrase, USHER_SECRETS_FILE: secretsFile, USHER_ADMIN_API_KEY: ADMIN_KEY },
  });
  expect(imported).toMatchObject({ code: 0, printed: expect.stringContaining("usher resume line") });
  await redis.command("FLUSHALL");
  await halted.stop();
  gateway = await startGateway({ config: { ...config(), issuer }, port, secretsFile });

  // Held until an operator says so; what visitors show counts.
  await until(async () => expect(await roomNow("line")).toMatchObject({ phase: "paused", phase_reason: "recovered" }));
  const waiting = [...early.slice(5), ...later, ...unseen];
  const places = new Map<Person, number>(waiting.map((person) => [person, person.position]));
  for (const person of waiting) {
    expect(await visit(http, gateway.origin, person)).toMatchObject({ kind: "parked", position: places.get(person) });
  }
  expect((await visit(http, gateway.origin, newPerson("line"))).kind).toBe("notice");
  for (const room of ["line", "shop", "later"]) expect((await usher("resume", room)).code).toBe(0);

  // Newcomers stand behind all who were there, those that the backup knew nothing of among them.
  const newcomer = await joinLine(http, gateway.origin, "line");
  expect(newcomer.position).toBeGreaterThan(Math.max(...places.values()));
  const shop = await roomNow("shop");
  expect([shop.outflow_limit, JSON.stringify(shop)]).toEqual([300, expect.stringContaining('"max_waiting":5000')]);
  const clients = (await admin("GET", "/clients")).json() as { clients: { client_id: string }[] };
  expect(clients.clients.map(({ client_id }) => client_id)).toContain("made");
  const byNight = await runUsher(["status"], { env: { ...env(), USHER_ADMIN_API_KEY: night.secret } });
  expect(byNight).toMatchObject({ code: 0, failure: "", printed: expect.stringContaining("later") });

  // The audit goes on with its old rows, in one chain.
  const auditAfter = ((await admin("GET", "/audit?limit=500")).json() as { rows: { seq: number }[] }).rows;
  const seqs = auditAfter.map(({ seq }) => seq);
  expect(seqs).toEqual(expect.arrayContaining(auditBefore.slice(-3).map(({ seq }) => seq)));
  const exported = join(folder.path, "audit.ndjson");
  expect((await usher("audit", "export", "--out", exported)).code).toBe(0);
  expect(await usher("verify-log", exported)).toMatchObject({ code: 0 });

  // Everybody enters in their order, and who was inside stays so.
  for (const person of inside) expect(await visit(http, gateway.origin, person)).toMatchObject({ kind: "code" });
  await createAdmin(http, gateway.origin).increment("line", 200);
  await until(async () => expect(Number((await roomNow("line")).serving)).toBeGreaterThanOrEqual(60));
  for (const person of waiting) expect(await visit(http, gateway.origin, person)).toMatchObject({ kind: "code" });
});

test("a backup is refused where it would do harm, and nothing is changed", async () => {
  const around = { env: { ...env(), USHER_BACKUP_PASSPHRASE: passphrase } };
  const here = await runUsher(["import", backup, "--config", gateway.configFile], around);
  expect(here).toMatchObject({ code: 1, failure: expect.stringContaining("stop it, and empty its store") });
  const wrong = { env: { ...env(), USHER_SECRETS_FILE: join(folder.path, "empty", "secrets.json") } };
  const other = { env: { ...wrong.env, USHER_BACKUP_PASSPHRASE: "another passphrase, which is wrong" } };
  expect(await runUsher(["import", backup, "--config", gateway.configFile], other)).toMatchObject({
    code: 1,
    failure: expect.stringContaining("cannot be opened"),
  });
  expect(() => statSync(join(folder.path, "empty"))).toThrow();
});

test("backups in a folder are named by their time, and the oldest leave", async () => {
  const dir = join(folder.path, "nightly");
  const run = () => usher("export", "--dir", dir, "--keep", "2");
  const { printed } = await run();
  expect(printed).toMatch(/usher-\d{8}T\d{6}Z\.json .*without keys[\s\S]*Keys are not in it/);
  await until(async () => {
    expect((await run()).code).toBe(0);
    const { readdirSync } = await import("node:fs");
    expect(readdirSync(dir)).toHaveLength(2);
  });
});
