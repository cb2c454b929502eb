/**
 * Goal: a gateway with the embedded store that is started again raises no alarm, and admits no more than the limit across the stop. Method:
 * a real gateway whose limit is used up is ended in good order, and killed; and the demonstration as well.
 */
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAdmin } from "../support/admin.ts";
import { type ProcessGateway, startGateway } from "../support/gateway.ts";
import { createHttpClient, type HttpClient } from "../support/http-client.ts";
import { freePorts } from "../support/ports.ts";
import { startProcess } from "../support/processes.ts";
import { makeTempDir } from "../support/temp-dir.ts";
import { clientOf, type Person, visit } from "./people.ts";

const main = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

const room = "shop";
const limit = 3;
let http: HttpClient;
let gateway: ProcessGateway;
beforeAll(async () => {
  http = createHttpClient();
  const inlet = { type: "manual", outflow_per_minute: limit };
  gateway = await startGateway({
    asProcess: true,
    config: { rooms: [{ id: room, inlet }], clients: [clientOf(room)] },
  });
});
afterAll(async () => {
  http?.close();
  await gateway?.stop();
});

const come = async (person: Person = { room, cookies: new Map(), position: 0, entry: null }) => {
  const answer = await visit(http, gateway.issuer, person);
  return { person, answer };
};
const status = async () => (await http.get(`${gateway.issuer}/rooms/${room}/status`)).json() as Record<string, unknown>;

/** As many as the limit lets in within a minute come while everybody may pass; the next one waits for the limit. */
async function useLimitUp() {
  const admin = createAdmin(http, gateway.operatorsOrigin);
  await admin.step(room, "passthrough");
  for (let count = 0; count < limit; count++) expect((await come()).answer.kind).toBe("code");
  await admin.step(room, "open");
  await admin.increment(room, 100);
  const { person, answer } = await come();
  expect(answer).toMatchObject({ kind: "parked", state: "held" });
  return person;
}

describe("the embedded store", () => {
  let waiting: Person;
  test("goes on where it stopped in good order", async () => {
    waiting = await useLimitUp();
    await gateway.halt();
    await gateway.start();
    await gateway.waitUntilReady();
    expect(await status()).toMatchObject({ availability: "ready", held_until: null, gaps: [], phase: "open" });
    expect((await come(waiting)).answer).toMatchObject({ kind: "parked", state: "held", position: waiting.position });
    expect((await come()).person.position).toBe(waiting.position + 1);
    expect(gateway.output()).not.toMatch(/room\.recover/);
  });

  test("holds nobody after a kill, and counts who was admitted before it", async () => {
    await gateway.kill();
    await gateway.start();
    await gateway.waitUntilReady();
    expect(await status()).toMatchObject({ availability: "ready", held_until: null, phase: "open" });
    expect((await come(waiting)).answer).toMatchObject({ kind: "parked", state: "held", position: waiting.position });
    expect((await come()).person.position).toBeGreaterThan(waiting.position + 1);
  });
});

test.each(["stopped", "killed"])(
  "the demonstration shows no hold when it starts again where it was %s",
  async (how) => {
    const folder = await makeTempDir("demo");
    const [port = 0, sitePort = 0] = await freePorts(2);
    const env = { PATH: process.env.PATH, HOME: folder.path, PORT: String(port), USHER_DEMO_PORT: String(sitePort) };
    const start = async () => {
      const demo = startProcess({
        name: "demo",
        command: process.execPath,
        args: [main, "demo"],
        cwd: folder.path,
        env,
      });
      await demo.waitForOutput(/The demonstration is running/);
      return demo;
    };
    const figures = async () =>
      (await http.get(`http://localhost:${port}/rooms/demo/status`)).json() as { held_until: unknown; serving: number };
    try {
      const first = await start();
      await expect.poll(async () => (await figures()).serving, { timeout: 30_000 }).toBeGreaterThan(0);
      await (how === "killed" ? first.kill() : first.stop());
      const second = await start();
      expect(await figures()).toMatchObject({ availability: "ready", held_until: null });
      await second.stop();
    } finally {
      await folder.remove();
    }
  },
);
