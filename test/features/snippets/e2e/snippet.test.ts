/** Goal: without a file, `usher snippet` has the values of a running gateway, as it has those of a file. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { stringify } from "yaml";
import { memoryStore, useWorld } from "../../../e2e/world.ts";
import { ADMIN_KEY } from "../../../support/gateway.ts";
import { readGuide } from "../../../support/guide.ts";
import { makeTempDir, type TempDir } from "../../../support/temp-dir.ts";
import { runUsher } from "../../../support/usher-command.ts";

const secret = "secret-of-the-shop-0123456789abcdef";
const alb = { ...readGuide("alb").client(), client_secret: secret };
const rooms = [
  { id: "tickets", admission: { duration: "90s" } },
  { id: "checkout", admission: { duration: "30s" } },
];
const world = useWorld(() => ({ store: memoryStore, rooms, config: { clients: [alb] } }));

let folder: TempDir;
beforeAll(async () => {
  folder = await makeTempDir("snippet-gateway");
});
afterAll(() => folder.remove());
const usher = (args: readonly string[], env = {}) =>
  runUsher(["snippet", ...args], { env: { USHER_ADMIN_API_KEY: ADMIN_KEY, XDG_CONFIG_HOME: folder.path, ...env } });

test("a client of the file, as with the file, by --url and by a context", async () => {
  const file = join(folder.path, "usher.yaml");
  await writeFile(file, stringify({ issuer: world().issuer, rooms, clients: [alb] }));
  const offline = await usher(["alb", "--config", file]);
  expect(offline).toMatchObject({ code: 0, printed: expect.stringContaining(world().issuer) });
  const running = await usher(["alb", "--client", "shop-alb", "--url", world().issuer]);
  expect(running.printed).toBe(offline.printed);
  const add = ["context", "add", "sale", "--url", world().issuer];
  expect((await runUsher(add, { env: { XDG_CONFIG_HOME: folder.path } })).code).toBe(0);
  expect((await usher(["alb"])).printed).toBe(offline.printed);
  expect(running.printed).not.toContain(secret);
});

test("a client that was made at run time", async () => {
  const client = { ...readGuide("apache").client(), client_id: "made" } as Record<string, unknown>;
  delete client.client_secret;
  const made = await world().admin.request("POST", "/clients", client);
  expect(made.status).toBe(201);
  const { printed } = await usher(["apache", "--url", world().issuer]);
  expect(printed).toMatch(/OIDCClientID made\n/);
  expect(printed).toMatch(/OIDCSessionMaxDuration 90\n/);
});

test.each([
  ["an unknown client", ["alb", "--client", "none"], 1, /no client of the gateway has the id none/],
  ["a party without a client", ["nginx-plus"], 1, /no client of the gateway has the profile nginx: add one/],
  ["a client of another kind", ["nginx-plus", "--client", "shop-alb"], 1, /has the profile alb, and not nginx/],
  ["a file and a gateway at once", ["alb", "--config", "usher.yaml"], 2, /give one/],
])("refuses %s", async (_, args, code, words) => {
  const refused = await usher([...args, "--url", world().issuer]);
  expect(refused).toMatchObject({ code, printed: "", failure: expect.stringMatching(words) });
});

test("says what to do without a key", async () => {
  const refused = await usher(["alb", "--url", world().issuer], { USHER_ADMIN_API_KEY: "" });
  expect(refused).toMatchObject({ code: 1, failure: expect.stringMatching(/USHER_ADMIN_API_KEY.*--config/) });
});
