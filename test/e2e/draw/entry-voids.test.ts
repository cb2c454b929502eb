/**
 * Goal: entries of one network are taken out of a draw in public: the visitors are told, the record and the command show it, and who was
 * taken out by mistake is let back in. Method: honest visitors and a crowd come by turns to two gateways on one Redis.
 */
import { writeFile } from "node:fs/promises";
import { join as joinPath } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { DrawDocument, PublishedDraw } from "../../../src/room/draw-recipe/index.ts";
import { type Admin, createAdmin } from "../../support/admin.ts";
import { type Gateway, startGateways } from "../../support/gateway.ts";
import { createHttpClient } from "../../support/http-client.ts";
import { type RedisDatabase, redisDatabase } from "../../support/shared-redis.ts";
import { makeTempDir, type TempDir } from "../../support/temp-dir.ts";
import { runUsher } from "../../support/usher-command.ts";

const soon = { timeout: 60_000, interval: 250 };
const people = 6;
const reason = "Very many entries from <one> network.";
const http = createHttpClient();
let redis: RedisDatabase;
let gateways: Gateway[];
let admin: Admin;
let folder: TempDir;

beforeAll(async () => {
  redis = await redisDatabase();
  folder = await makeTempDir("voids");
  gateways = await startGateways(2, {
    config: {
      store: { type: "redis", url: redis.url },
      listen: { trusted_proxies: ["127.0.0.1", "::1"] },
      rooms: [{ id: "lots", draw: { order: "random" }, targets: ["https://shop.example.com/"] }],
      clients: [],
    },
  });
  admin = createAdmin(http, at(0).origin);
});
afterAll(async () => {
  http.close();
  await Promise.all(gateways.map((gateway) => gateway.stop()));
  await redis.refund();
  await folder.remove();
});

function at(index: number): Gateway {
  return gateways[index % gateways.length] as Gateway;
}

const json = { accept: "application/json" };
const ask = async (index: number, path: string, ticket: string) =>
  http.request(`${at(index).origin}/rooms/lots${path}`, { headers: { ...json, authorization: `Bearer ${ticket}` } });

async function draw(index = 1): Promise<PublishedDraw | undefined> {
  const answer = await http.request(`${at(index).origin}/rooms/lots/draw`, { headers: json });
  return (answer.json() as Partial<DrawDocument>).draws?.at(-1);
}

async function join(index: number, address: string) {
  return http.request(`${at(index).origin}/rooms/lots/tickets`, {
    method: "POST",
    headers: { "x-forwarded-for": address },
  });
}

async function ticketOf(index: number, address: string): Promise<string> {
  const answer = await join(index, address);
  expect(answer.status).toBe(201);
  return (answer.json() as { ticket: string }).ticket;
}

const honestAt = (index: number) => `198.51.${index}.9`;
const crowdAt = (index: number) => `203.0.113.${index + 1}`;

interface Blocks {
  entries: number;
  known: number;
  networks: { block: string; entries: number; share: number; voided: string[] }[];
  asked: { address: { block: string; entries: number } } | null;
}

async function blocks(query = ""): Promise<Blocks> {
  return (await admin.request("GET", `/rooms/lots/draw/blocks${query}`)).json() as Blocks;
}

async function voidBlocks(body: object, headers: Record<string, string> = {}) {
  return admin.request("POST", "/rooms/lots/draw/voids", body, headers);
}

test("a crowd's network is voided in public, and an honest visitor who was voided by mistake is given the entry back", async () => {
  expect((await admin.request("GET", "/rooms/lots/draw/blocks")).status).toBe(409);
  await admin.step("lots", "prequeue");
  await vi.waitUntil(async () => (await draw())?.first === 1, soon);
  await vi.waitUntil(async () => (await draw(0))?.first === 1, soon);
  const [honest, crowd]: [string[], string[]] = [[], []];
  for (let index = 0; index < people; index++) {
    honest.push(await ticketOf(index, honestAt(index)));
    crowd.push(await ticketOf(index, crowdAt(index)));
  }

  const found = await blocks(`?address=${honestAt(3)}`);
  expect(found).toMatchObject({ entries: 2 * people, known: 2 * people, asked: { address: { entries: 1 } } });
  const [network] = found.networks;
  expect(network).toMatchObject({ entries: people, share: 0.5, voided: [] });
  expect(await redis.command("KEYS", "*entry_blocks")).toHaveLength(1);
  const asked = { blocks: [network?.block], reason };
  expect((await voidBlocks({ ...asked, dry_run: true })).json()).toEqual({
    reference: null,
    entries: people,
    dry_run: true,
  });
  for (const wrong of [
    { ...asked, blocks: [] },
    { ...asked, blocks: ["203.0.113.0/24"] },
    { ...asked, blocks: [network?.block, "AAAAAAAA"] },
    { blocks: asked.blocks },
  ]) {
    expect((await voidBlocks(wrong)).status).toBe(400);
  }
  const once = { "idempotency-key": "void-1" };
  const made = (await voidBlocks(asked, once)).json() as { reference: string; entries: number };
  expect(made.entries).toBe(people);
  expect((await voidBlocks(asked, once)).json()).toEqual(made);
  const mistake = (await voidBlocks({ blocks: [found.asked?.address.block], reason: "By mistake." })).json() as {
    reference: string;
  };

  // Both gateways know it; the second by its next tick.
  const told = { state: "expired", voided: { reference: made.reference, reason } };
  await expect.poll(async () => (await ask(1, "/tickets/me", crowd[0] ?? "")).json(), soon).toMatchObject(told);
  expect((await ask(0, "/tickets/me", honest[0] ?? "")).json()).toMatchObject({ state: "entered" });
  const refused = await join(1, "203.0.113.99");
  expect(refused.status).toBe(409);
  expect(refused.json()).toMatchObject({ error: "entry_voided", reference: made.reference, reason });
  const page = await http.request(`${at(1).origin}/rooms/lots/enter`, {
    headers: { accept: "text/html", "x-forwarded-for": "203.0.113.99", "sec-fetch-mode": "navigate" },
  });
  expect(page.body).toContain("Not in the draw");
  expect(page.body).toContain("Very many entries from &lt;one&gt; network.");
  expect(page.body).toContain(made.reference);

  expect((await ask(0, "/tickets/me", honest[3] ?? "")).json()).toMatchObject({ state: "expired" });
  const restored = await admin.request("DELETE", `/rooms/lots/draw/voids/${mistake.reference}`);
  expect(restored.json()).toMatchObject({ entries: 1, restored_at: expect.any(String) });
  await expect
    .poll(async () => (await ask(1, "/tickets/me", honest[3] ?? "")).json(), soon)
    .toMatchObject({ state: "entered" });

  await admin.step("lots", "open");
  await vi.waitUntil(async () => (await draw())?.stage === "drawn", soon);
  await vi.waitUntil(async () => (await draw(0))?.stage === "drawn", soon);
  expect((await voidBlocks(asked)).status).toBe(409);
  expect((await voidBlocks(asked, once)).json()).toEqual(made);
  expect((await admin.request("DELETE", `/rooms/lots/draw/voids/${made.reference}`)).status).toBe(409);
  expect((await admin.request("DELETE", "/rooms/lots/draw/voids/BBBBBBBB")).status).toBe(404);
  const { voids } = (await admin.request("GET", "/rooms/lots/draw/voids")).json() as { voids: object[] };
  expect(voids).toMatchObject([
    { reference: made.reference, entries: people, restored_at: null },
    { reference: mistake.reference, entries: 1, restored_at: expect.any(String) },
  ]);

  const record = await draw();
  expect(record).toMatchObject({ entries: people, last: 2 * people, voids: [{ reason }, { reason: "By mistake." }] });
  expect(await draw(0)).toEqual(record);
  const places = await Promise.all(honest.map((ticket, index) => ask(index, "/tickets/me", ticket)));
  const positions = places.map((answer) => (answer.json() as { position: number }).position);
  expect(positions.toSorted((a, b) => a - b)).toEqual(Array.from({ length: people }, (_, index) => index + 1));

  const receipts = await Promise.all(
    [...honest, ...crowd].map(
      async (ticket, index) =>
        ((await ask(index, "/tickets/me/receipt", ticket)).json() as { receipt: string }).receipt,
    ),
  );
  const { status, output } = await verify(receipts);
  expect(output).toContain(
    `Voided by the organiser before the draw: ${people} entries, void ${made.reference}: “${reason}”`,
  );
  expect(output).toContain("Given back ");
  expect(status).toBe(0);

  await admin.increment("lots", people);
  const claims = async (ticket: string, index: number) => {
    const answer = await http.request(`${at(index).origin}/rooms/lots/tickets/me/token`, {
      method: "POST",
      headers: { authorization: `Bearer ${ticket}` },
    });
    return answer.status;
  };
  await expect.poll(() => claims(honest[0] ?? "", 0), soon).toBe(200);
  expect(await claims(crowd[0] ?? "", 1)).not.toBe(200);
  // Nobody is kept out of the line behind the draw.
  expect((await join(1, "203.0.113.99")).status).toBe(201);
});

async function verify(receipts: readonly string[]) {
  const file = joinPath(folder.path, "draw.json");
  const answer = await http.request(`${at(0).origin}/rooms/lots/draw`, { headers: json });
  await writeFile(file, answer.body);
  const texts = receipts.flatMap((receipt) => ["--receipt", receipt]);
  const { code, printed, failure } = await runUsher(["verify-draw", file, ...texts]);
  return { status: code, output: printed + failure };
}
