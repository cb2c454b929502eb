/** What operators see of the home, what a look from outside goes by, and secrets that change while the gateway runs. */
import { createHmac } from "node:crypto";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { memoryStore, startWorld, type World } from "../../../e2e/world.ts";
import { askForPublicAnswers } from "../../../support/public-answers.ts";
import { makeTempDir, type TempDir } from "../../../support/temp-dir.ts";
import { customerId, secretKey } from "../support/connector-site.ts";
import { enterAddress, homeOf, homePath } from "../support/home.ts";

const keys = { secret: [secretKey, "a-later-secret-key-of-0123456789-abcdef"], api: ["a".repeat(24), "b".repeat(24)] };
let folder: TempDir;
let world: World;
beforeAll(async () => {
  folder = await makeTempDir("queue-it-secrets");
  await Promise.all([write("secret", keys.secret[0]), write("api", keys.api[0])]);
  const { rooms, config } = homeOf([{ id: "tickets" }], "https://shop.test");
  const fromFile = (name: string) => ({ from: "file", path: join(folder.path, name) });
  const secrets = { secret_key: fromFile("secret"), api_key: fromFile("api") };
  world = await startWorld({
    store: memoryStore,
    rooms: [...rooms, { id: "alone" }],
    config: { homes: { queue_it: { ...config.homes.queue_it, ...secrets } } },
  });
  await world.admin.step("tickets", "passthrough");
});
afterAll(async () => {
  await world?.stop();
  await folder.remove();
});

async function write(name: string, secret = ""): Promise<void> {
  const path = join(folder.path, name);
  await writeFile(`${path}.new`, secret, { mode: 0o600 });
  await rename(`${path}.new`, path);
}

const at = (path: string) => `${world.issuer}${homePath}${path}`;
const metrics = async () => (await world.http.get(`${world.issuer}/metrics`)).body;

test("a room says whose visitors come to it, metrics count them, and a look from outside gets what it asks for", async () => {
  const homes = async (room: string) =>
    ((await world.admin.request("GET", `/rooms/${room}`)).json() as { homes: object[] }).homes;
  expect(await homes("tickets")).toEqual([
    { system: "Queue-it", ids: ["event-tickets"], guide: "docs/homes/queue-it.md" },
  ]);
  expect(await homes("alone")).toEqual([]);
  const [gateway] = world.gateways;
  if (gateway === undefined) throw new Error("there is a gateway");
  expect(await askForPublicAnswers(gateway)).toEqual({
    "/queue-it/?c=acme&e=event-tickets": null,
    "/queue-it/status/integrationconfig/secure/acme": null,
  });
  expect(await metrics()).not.toContain("usher_queue_it_sent_total{");
  await world.http.get(enterAddress(world, "tickets", { t: "https://shop.test/tickets" }), { accept: "text/html" });
  expect(await metrics()).toContain('usher_queue_it_sent_total{room="tickets"} 1');
  expect(await metrics()).toContain('usher_home{room="tickets",system="Queue-it",id="event-tickets"} 1');
});

describe("a secret that changes at its source", () => {
  /** What an app gets that is let in at once. */
  async function token(): Promise<string> {
    const answer = await world.http.request(at(`/api/mobileapp/queue/${customerId}/event-tickets/enqueue`), {
      method: "POST",
      body: {},
    });
    return (answer.json() as { QueueitToken: string }).QueueitToken;
  }
  function isSignedBy(text: string, key = ""): boolean {
    const [, said = "", hash] = /^(.+)~h_(.+)$/.exec(text) ?? [];
    return createHmac("sha256", key).update(said).digest("hex") === hash;
  }
  /** Whether the home knows it as its own that a site has refused. */
  async function isKnown(text: string): Promise<boolean> {
    const refused = async () =>
      Number(/refused_total\{room="tickets",reason="hash"\} (\d+)/.exec(await metrics())?.[1] ?? 0);
    const before = await refused();
    const query = new URLSearchParams({ c: customerId, e: "event-tickets", queueittoken: text });
    await world.http.get(`${at("/error/hash/")}?${query}`);
    return (await refused()) > before;
  }
  const pull = async (key = "") =>
    (await world.http.get(at(`/status/integrationconfig/${customerId}`), { "api-key": key })).status;

  test("signs as soon as it is read, and what the one before has signed goes on counting", async () => {
    const [before, after] = keys.secret;
    const old = await token();
    expect([isSignedBy(old, before), isSignedBy(old, after)]).toEqual([true, false]);
    await write("secret", after);
    await expect.poll(async () => isSignedBy(await token(), after)).toBe(true);
    expect(await isKnown(old)).toBe(true);
    expect(await isKnown(await token())).toBe(true);
    expect(await isKnown(`${old.slice(0, -1)}${old.endsWith("0") ? "1" : "0"}`)).toBe(false);
    expect(world.gateways[0]?.output()).not.toContain(after);
  });

  test("opens the integration configuration, as the one before does", async () => {
    const [before, after] = keys.api;
    expect([await pull(before), await pull(after)]).toEqual([200, 401]);
    await write("api", after);
    await expect.poll(() => pull(after)).toBe(200);
    expect([await pull(before), await pull("c".repeat(24))]).toEqual([200, 401]);
  });

  test("leaves the last one in force where it can't be used", async () => {
    await write("secret", "short");
    await world.gateways[0]?.waitForOutput(/"event":"secrets.failed".*homes\.queue_it\.secret_key/);
    expect(isSignedBy(await token(), keys.secret[1])).toBe(true);
  });
});
