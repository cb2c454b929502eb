// Long: starts gateways as processes and kills them, around a whole draw.
/**
 * A draw from the outside: two gateways on one Redis give the same places, through a loss of everything, and whoever holds a
 * receipt checks it with the command.
 */
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { DrawDocument, PublishedDraw } from "../../../src/room/draw-recipe/index.ts";
import { type Admin, createAdmin } from "../../support/admin.ts";
import { type ChainDouble, createChain, type MirrorDouble, startMirror } from "../../support/beacon-mirror.ts";
import { haveRecovered, rememberedBy } from "../../support/checkpoints.ts";
import { type ProcessGateway, startGateways } from "../../support/gateway.ts";
import { createHttpClient } from "../../support/http-client.ts";
import { type RedisServer, startRedis } from "../../support/redis-server.ts";
import { makeTempDir, type TempDir } from "../../support/temp-dir.ts";

const main = fileURLToPath(new URL("../../../dist/main.js", import.meta.url));
const soon = { timeout: 60_000, interval: 250 };
const people = 24;
const http = createHttpClient();
const chain: ChainDouble = createChain(7);
let redis: RedisServer;
let mirror: MirrorDouble;
let gateways: ProcessGateway[];
let admin: Admin;
let folder: TempDir;

beforeAll(async () => {
  redis = await startRedis();
  folder = await makeTempDir("draws");
  // As drand does: a round that is not published yet is not to be had.
  mirror = await startMirror((response, request) => {
    const [, hash, , round = ""] = (request.url ?? "").split("/");
    const publishedMs = (chain.genesisSec + (Number(round) - 1) * chain.periodSec) * 1_000;
    const isKnown = hash === chain.hash && publishedMs <= Date.now();
    response.writeHead(isKnown ? 200 : 404, { "content-type": "application/json" });
    response.end(isKnown ? JSON.stringify({ round: Number(round), signature: chain.sign(Number(round)) }) : "{}");
  });
  const { hash, publicKey: public_key, genesisSec: genesis, periodSec: period } = chain;
  gateways = await startGateways(2, {
    asProcess: true,
    config: {
      store: { type: "redis", url: redis.url },
      rooms: [{ id: "plain" }, { id: "lost" }, { id: "lit", draw: { beacon: "drand" } }],
      clients: [],
      beacon: { urls: [mirror.url], chain: { hash, public_key, genesis, period } },
    },
  });
  admin = createAdmin(http, at(0).origin);
});
afterAll(async () => {
  http.close();
  await Promise.all(gateways.map((gateway) => gateway.stop()));
  await mirror.close();
  await redis.stop();
  await folder.remove();
});

function at(index: number): ProcessGateway {
  const gateway = gateways[index % gateways.length];
  if (gateway === undefined) throw new Error("no gateway");
  return gateway;
}

const ask = async (index: number, path: string, ticket?: string) =>
  (
    await http.request(`${at(index).origin}/rooms/${path}`, {
      headers: { accept: "application/json", ...(ticket !== undefined && { authorization: `Bearer ${ticket}` }) },
    })
  ).json();

async function drawOf(room: string, index = 0): Promise<PublishedDraw | undefined> {
  const { draws = [] } = ((await ask(index, `${room}/draw`)) ?? {}) as Partial<DrawDocument>;
  return draws.at(-1);
}

async function join_(room: string, index: number): Promise<string> {
  const answer = await http.request(`${at(index).origin}/rooms/${room}/tickets`, { method: "POST" });
  expect(answer.status).toBe(201);
  return (answer.json() as { ticket: string }).ticket;
}

/** Everybody comes in the prequeue, through both gateways by turns, and takes a receipt. */
async function inPrequeue(room: string) {
  await admin.step(room, "prequeue");
  await vi.waitUntil(async () => (await drawOf(room, 1))?.first === 1, soon);
  const commitment = (await drawOf(room))?.commitment;
  expect(commitment).toMatch(/^[0-9a-f]{64}$/);
  const tickets: string[] = [];
  for (let index = 0; index < people; index++) tickets.push(await join_(room, index));
  const receipts = await Promise.all(
    tickets.map(async (ticket, index) => {
      const answer = (await ask(index + 1, `${room}/tickets/me/receipt`, ticket)) as { receipt: string };
      return answer.receipt;
    }),
  );
  return { commitment, tickets, receipts };
}

/** Opens it, and sees to it that nobody is served before the draw, though all places are open. */
async function draw(room: string, tickets: readonly string[]): Promise<void> {
  await admin.increment(room, people);
  await admin.step(room, "open");
  let stage = (await drawOf(room))?.stage;
  while (stage !== "drawn") {
    const told = (await ask(1, `${room}/tickets/me`, tickets[0])) as { state: string };
    // It may have been drawn between the two questions.
    stage = (await drawOf(room, 1))?.stage;
    if (stage !== "drawn") expect(told.state).toBe("entered");
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  await vi.waitUntil(async () => (await drawOf(room, 0))?.stage === "drawn", soon);
}

/** The stage of the draw that is to be lost, and of how many, as a gateway would know it after a crash. */
async function drawKnownBy(gateway: ProcessGateway): Promise<string> {
  const memory = await rememberedBy(gateway, "lost");
  return `${memory?.draws?.at(-1)?.stage} of ${memory?.queued}`;
}

async function placesOf(room: string, tickets: readonly string[], index: number) {
  const told = await Promise.all(tickets.map((ticket) => ask(index, `${room}/tickets/me`, ticket)));
  return told as { state: string; position: number; entry: number; held_for_seconds: number }[];
}

/** Without what is another at each time of asking: how long a turn is held yet. */
const asPlaces = (told: Awaited<ReturnType<typeof placesOf>>) =>
  told.map((each) => ({ ...each, held_for_seconds: null }));

async function verify(room: string, receipts: readonly string[], document?: unknown) {
  const file = join(folder.path, `${room}-${receipts.length}.json`);
  await writeFile(file, JSON.stringify(document ?? (await ask(0, `${room}/draw`))));
  const texts = receipts.flatMap((receipt) => ["--receipt", receipt]);
  return new Promise<{ status: number; output: string }>((resolve) => {
    execFile(process.execPath, [main, "verify-draw", file, ...texts], (error, stdout, stderr) => {
      resolve({ status: typeof error?.code === "number" ? error.code : 0, output: stdout + stderr });
    });
  });
}

describe.concurrent("a draw of two gateways", () => {
  test("gives each entry a place of its own, the same at both, and what the receipts promise", async ({ expect }) => {
    const { commitment, tickets, receipts } = await inPrequeue("plain");
    await draw("plain", tickets);
    const late = await join_("plain", 0);
    const [first, second] = [await drawOf("plain", 0), await drawOf("plain", 1)];
    expect(first).toEqual(second);
    expect(first).toMatchObject({ commitment, first: 1, last: people, entries: people, beacon: null });
    expect(first?.seed).toMatch(/^[0-9a-f]{64}$/);

    const places = await placesOf("plain", tickets, 0);
    const elsewhere = await placesOf("plain", tickets, 1);
    expect(asPlaces(elsewhere)).toEqual(asPlaces(places));
    for (const { held_for_seconds } of [...places, ...elsewhere]) expect(held_for_seconds).toBeGreaterThan(0);
    const numbers = Array.from(tickets, (_, index) => index + 1);
    expect(places.map(({ entry }) => entry)).toEqual(numbers);
    expect(places.map(({ position }) => position).toSorted((a, b) => a - b)).toEqual(numbers);
    expect(places.map(({ position }) => position)).not.toEqual(numbers);
    expect(await ask(1, "plain/tickets/me", late)).toMatchObject({ position: people + 1, entry: null });
    expect(await ask(1, "plain/tickets/me/receipt", late)).toMatchObject({ error: "not_an_entry" });

    const { status, output } = await verify("plain", receipts);
    expect(output).toContain(`Entry 1 `);
    for (const { entry, position } of places) expect(output).toMatch(new RegExp(`Entry ${entry} .*place ${position};`));
    expect(status).toBe(0);
    // A dishonest room could not tell another number of entries: the receipt's key has signed this one.
    const forged = (await ask(0, "plain/draw")) as { draws: { last: number; entries: number }[] };
    for (const each of forged.draws) Object.assign(each, { last: people + 1, entries: people + 1 });
    expect((await verify("plain", receipts.slice(0, 1), forged)).status).toBe(1);
  });

  test("mixes in the round of the public beacon that was due after the last entry", async ({ expect }) => {
    const { tickets, receipts } = await inPrequeue("lit");
    await draw("lit", tickets);
    const drawn = await drawOf("lit", 1);
    const { beacon, closes_at } = drawn ?? {};
    const dueMs = Date.parse(closes_at ?? "") + 6_000;
    expect(Date.parse(beacon?.published_at ?? "")).toBeGreaterThanOrEqual(dueMs);
    expect(beacon).toMatchObject({ chain: chain.hash, signature: chain.sign(beacon?.round ?? 0), fallback: null });
    expect(new Set(mirror.paths)).toContain(`/${chain.hash}/public/${beacon?.round}`);
    const { status, output } = await verify("lit", receipts);
    expect([status, output]).toEqual([0, expect.stringContaining("which this program does not know")]);
  });
});

test("is the same after the store and every process are gone", async () => {
  const { commitment, tickets } = await inPrequeue("lost");
  for (const gateway of gateways) await expect.poll(() => drawKnownBy(gateway), soon).toBe(`committed of ${people}`);
  await redis.command("FLUSHALL");
  // Both have noticed by then, and what they remember is in force again.
  await haveRecovered(gateways, "lost");
  for (const index of [0, 1]) {
    await expect.poll(() => ask(index, "lost/status"), soon).toMatchObject({ availability: "ready" });
    expect(await drawOf("lost", index)).toMatchObject({ stage: "committed", commitment, first: 1 });
  }
  await draw("lost", tickets);
  const before = await drawOf("lost");
  const places = await placesOf("lost", tickets, 0);
  // The numbers that the loss may have swallowed are behind all who entered.
  expect(places.map(({ position }) => position).toSorted((a, b) => a - b)).toEqual(
    Array.from(tickets, (_, index) => index + 1),
  );
  for (const gateway of gateways) await expect.poll(() => drawKnownBy(gateway), soon).toMatch(/^drawn of/);
  await Promise.all(gateways.map((gateway) => gateway.kill()));
  await redis.command("FLUSHALL");
  await Promise.all(gateways.map((gateway) => gateway.start()));
  await expect.poll(() => drawOf("lost", 1), soon).toEqual(before);
  const again = await placesOf("lost", tickets, 1);
  expect(again.map(({ position, entry }) => [position, entry])).toEqual(
    places.map(({ position, entry }) => [position, entry]),
  );
});
