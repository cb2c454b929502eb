/** What is told of a draw: the record, the page's own part, the receipt. The page itself is in test/browser. */
import Koa from "koa";
import request from "supertest";
import { beforeEach, describe, expect, test } from "vitest";
import { UsherError } from "../../../../../src/lib/errors.ts";
import { createVisitorCookies } from "../../../../../src/oidc/index.ts";
import { noBeacon } from "../../../../../src/room/draw/draw-source.ts";
import { type DrawDocument, readDrawDocument, readReceipt } from "../../../../../src/room/draw-recipe/index.ts";
import { reportedPlace } from "../../../../../src/room/index.ts";
import { createMoveLinks } from "../../../../../src/room/tickets/move-link.ts";
import type { Ticket } from "../../../../../src/room/tickets/ticket.ts";
import { createKeyRing } from "../../../../../src/room/tickets/ticket.ts";
import type { Notice } from "../../../../../src/web/pages/index.ts";
import { createDrawPages } from "../../../../../src/web/visitor/links/draw.ts";
import { placeStatusJson } from "../../../../../src/web/visitor/place-status-json.ts";
import { statusBodies } from "../../../../../src/web/visitor/status.ts";
import { manualSettings } from "../../../../support/room-settings.ts";
import { createSeededRandom } from "../../../../support/seeded-random.ts";
import { createSharedWorld, joinMany, joinOne, type Process, type SharedWorld } from "../../../room/processes.ts";

const page = { Accept: "text/html,application/xhtml+xml" };
const program = Buffer.from("the checker, and so on, and so on, and so on, and so on");

let world: SharedWorld;
let process: Process;
let shown: Notice[];
let handle: ReturnType<Koa["callback"]>;

async function start(order: "random" | "arrival"): Promise<void> {
  world = createSharedWorld(`draw ${order}`);
  const opensAtMs = world.clock.now() + 700_000;
  const settings = {
    // Entries, too.
    moves: "unlimited" as const,
    ...manualSettings,
    schedule: { prequeueAtMs: opensAtMs - 600_000, opensAtMs, endsAtMs: null },
    draw: { order, beacon: "none" as const },
  };
  const key = { kid: "draw-1", secret: Buffer.alloc(32, 1) };
  const draws = {
    issuer: "https://queue.example.com",
    keys: () => [key],
    beacon: () => noBeacon,
  };
  process = world.process("a", { isNewInstallation: true, settings, draws });
  await world.pass(2_000, [process]);
  shown = [];
  const pages = createDrawPages({
    cookies: createVisitorCookies(true),
    responder: {
      page(ctx, status, notice) {
        shown.push(notice);
        ctx.status = status;
        ctx.body = "page";
      },
      drawChecker: { plain: program, gzip: Buffer.from("compressed") },
    },
  });
  const app = new Koa();
  app.silent = true;
  app.use(async (ctx) => {
    const { room } = process;
    try {
      if (ctx.path === "/checker") return pages.checker(ctx);
      if (ctx.path === "/draw") return await pages.show(ctx, room);
      const presented = room.read(ctx.get("Authorization").replace("Bearer ", ""));
      if (presented.kind !== "ticket") throw new Error("no ticket");
      return await pages.tellReceipt(ctx, room, presented);
    } catch (error) {
      if (!(error instanceof UsherError)) throw error;
      ctx.status = error.status;
      ctx.body = { error: error.code };
    }
  });
  handle = app.callback();
}

const record = async () => (await request(handle).get("/draw").expect(200)).body as DrawDocument;
const receiptOf = (ticket: Ticket) =>
  request(handle)
    .get("/receipt")
    .set("Authorization", `Bearer ${process.room.encode(ticket)}`);

async function look(ticket?: Ticket): Promise<Notice> {
  const cookie = ticket === undefined ? "" : `__Host-usher-tickets=${process.room.encode(ticket)}`;
  await request(handle).get("/draw").set(page).set("Cookie", cookie).expect(200, "page");
  const notice = shown.at(-1);
  if (notice === undefined) throw new Error("no page");
  return notice;
}

async function pass(ms: number): Promise<void> {
  await world.pass(ms, [process]);
}

async function toPrequeue(): Promise<void> {
  world.clock.advance(98_000);
  await pass(1_000);
}

async function toDrawn(): Promise<void> {
  world.clock.advance(600_000);
  await pass(1_000);
  await pass(12_000);
}

describe("where places are drawn", () => {
  beforeEach(() => start("random"));

  test("programs find the record, a second old at most before the draw and a minute after it", async () => {
    const before = await request(handle).get("/draw").expect(200).expect("Cache-Control", "public, max-age=1");
    expect(before.headers).toMatchObject({ vary: "Accept", "content-type": "application/json; charset=utf-8" });
    expect(readDrawDocument(before.body).draws[0]).toMatchObject({ stage: "committed", seed: null, first: null });
    await toPrequeue();
    await joinOne(process, world.clock.now());
    await toDrawn();
    const after = await request(handle).get("/draw").expect(200);
    expect(readDrawDocument(after.body).draws[0]).toMatchObject({ stage: "drawn", first: 1, last: 1, entries: 1 });
    expect(after.body.draws[0].commitment).toBe(before.body.draws[0].commitment);
    expect(after.headers["cache-control"]).toBe("public, max-age=60");
  });

  test("the public status tells how far it is", async () => {
    const drawTold = () => JSON.parse(String(statusBodies(process.room)?.plain)).draw;
    expect(drawTold()).toEqual({ id: 1, stage: "committed", entries: null, voids: 0, due_at: expect.any(String) });
    await toPrequeue();
    world.clock.advance(600_000);
    await pass(1_000);
    expect(drawTold().stage).toBe("closing");
  });

  test("the page shows a visitor their number and receipt, then their place", async () => {
    await toPrequeue();
    const tickets = [await joinOne(process, 0), await joinOne(process, 0), await joinOne(process, 0)];
    const [, second] = tickets as [Ticket, Ticket, Ticket];
    const entered = await look(second);
    expect(entered).toMatchObject({ code: "draw", values: { room: process.room.title } });
    expect(entered.draw?.own).toMatchObject({ entry: 2, position: null });
    const read = readReceipt(entered.draw?.own?.receipt ?? "");
    expect(read).toMatchObject({ receipt: { entry: 2, sub: second.sub, commitment: entered.draw?.commitment } });
    await toDrawn();
    const drawn: Notice[] = [];
    for (const ticket of tickets) drawn.push(await look(ticket));
    const places = drawn.map(({ draw }) => draw?.own?.position);
    expect(places.toSorted()).toEqual([1, 2, 3]);
    expect(places[1]).toBe(reportedPlace(process.room, second).position);
    expect(drawn[1]?.draw?.stage).toBe("drawn");
  });

  test("the page shows nobody's number to whoever has none: no ticket, a place behind the draw, a foreign cookie", async () => {
    await toPrequeue();
    await joinOne(process, 0);
    await toDrawn();
    const late = await joinOne(process, world.clock.now());
    expect((await look()).draw?.own).toBeNull();
    expect((await look(late)).draw?.own).toBeNull();
    await request(handle).get("/draw").set(page).set("Cookie", "__Host-usher-tickets=w1.a.b.c").expect(200);
    expect(shown.at(-1)?.draw).toMatchObject({ stage: "drawn", own: null });
  });

  test("a receipt is told to its holder, and is none for a place behind the draw", async () => {
    await toPrequeue();
    const ticket = await joinOne(process, 0);
    const answer = await receiptOf(ticket).expect(200);
    expect(readReceipt(answer.body.receipt)).toMatchObject({ receipt: { entry: 1, draw: 1, room: "tickets" } });
    await toDrawn();
    const late = await joinOne(process, world.clock.now());
    await receiptOf(late).expect(404, { error: "not_an_entry" });
  });

  test("a place is told with the entry number from which it was drawn", async () => {
    await toPrequeue();
    const ticket = await joinOne(process, 0);
    const told = () => placeStatusJson(reportedPlace(process.room, ticket));
    expect(told()).toMatchObject({
      state: "entered",
      position: 1,
      entry: 1,
      ahead: null,
      estimated_wait_seconds: null,
    });
    await toDrawn();
    expect(told()).toMatchObject({ state: "waiting", position: 1, entry: 1, ahead: 0 });
    const late = await joinOne(process, world.clock.now());
    expect(placeStatusJson(reportedPlace(process.room, late))).toMatchObject({
      state: "waiting",
      position: 2,
      entry: null,
      ahead: 1,
    });
  });

  test("a process that has not heard of the room does not take a number for a place", async () => {
    await toPrequeue();
    const ticket = await joinOne(process, 0);
    const { settings } = process.room;
    const unsynced = createSharedWorld("unheard").process("a", { isNewInstallation: true, settings }).room;
    expect(placeStatusJson(reportedPlace(unsynced, ticket))).toMatchObject({
      state: "waiting",
      ahead: null,
      serving: null,
    });
    const byArrival = { ...settings, draw: { order: "arrival" as const, beacon: "none" as const } };
    const plain = createSharedWorld("plain").process("a", { isNewInstallation: true, settings: byArrival }).room;
    expect(placeStatusJson(reportedPlace(plain, ticket))).toMatchObject({ state: "waiting", ahead: 0, serving: null });
  });

  test("nobody is told to ask sooner for a lower entry number, and all sooner while it is drawn", async () => {
    await toPrequeue();
    const tickets = await joinMany(process, 300, 0);
    await pass(1_000);
    const [first, last] = [tickets[0] as Ticket, tickets[299] as Ticket];
    const pollOf = (ticket: Ticket) => placeStatusJson(reportedPlace(process.room, ticket)).poll_after_ms;
    expect([pollOf(first), pollOf(last)]).toEqual([11_500, 11_500]);
    world.clock.advance(600_000);
    await pass(1_000);
    expect([pollOf(first), pollOf(last)]).toEqual([7_000, 7_000]);
    expect(placeStatusJson(reportedPlace(process.room, last)).ahead).toBeNull();
  });

  test("a place of an edition that is over is no entry of the next one's draw", async () => {
    await toPrequeue();
    const old = await joinOne(process, 0);
    await process.room.operations.step({ step: "reset" }, null, "test");
    await pass(1_000);
    await process.room.operations.step({ step: "phase", phase: "prequeue" }, null, "test");
    await pass(1_000);
    await joinOne(process, 0);
    await pass(1_000);
    expect(placeStatusJson(reportedPlace(process.room, old))).toMatchObject({ state: "expired", entry: null });
    await receiptOf(old).expect(404, { error: "not_an_entry" });
  });

  test("a moved place has its receipt with whom it was moved to, which says so; its maker has none any more", async () => {
    await toPrequeue();
    const [from, other] = [await joinOne(process, 0), await joinOne(process, 0)];
    await pass(1_000);
    const links = createMoveLinks(createKeyRing([{ kid: "k", secret: Buffer.alloc(32) }]), createSeededRandom("moved"));
    expect(await process.room.moves.take(links.make(from, world.clock.now(), null), "tickets.new")).toBe(true);
    await receiptOf(from).expect(404, { error: "not_an_entry" });
    const taken = await receiptOf({ ...from, sub: "tickets.new" }).expect(200);
    expect(readReceipt(taken.body.receipt)).toMatchObject({ receipt: { entry: 1, sub: "tickets.new", moved: true } });
    const kept = readReceipt((await receiptOf(other).expect(200)).body.receipt);
    expect(kept).not.toHaveProperty("receipt.moved");
  });

  test("the record is made once for each state, however many ask", async () => {
    const { draws } = process.room;
    expect(draws.document()).toBe(draws.document());
    await pass(1_000);
    expect(draws.document()?.updated_at).toBe(new Date(process.room.state?.nowMs ?? 0).toISOString());
  });
});

test("where places go by arrival, the page says so, and the record has no draw", async () => {
  await start("arrival");
  expect(await record()).toMatchObject({ order: "arrival", draws: [] });
  expect(await look()).toMatchObject({ code: "no_draw" });
  expect((await look()).draw).toBeUndefined();
  await toPrequeue();
  const ticket = await joinOne(process, 0);
  await receiptOf(ticket).expect(404, { error: "not_an_entry" });
  expect(placeStatusJson(reportedPlace(process.room, ticket))).toMatchObject({
    state: "entered",
    position: 1,
    entry: null,
  });
});

test("before anything is known of the room, it is asked for again", async () => {
  await start("random");
  const unsynced = createSharedWorld("unheard");
  process = unsynced.process("a", { isNewInstallation: true });
  await request(handle).get("/draw").expect(503, { error: "store_unavailable" });
});

test("the checker is a script that may load nothing, compressed for whoever takes that", async () => {
  await start("random");
  const answer = await request(handle).get("/checker").set("Accept-Encoding", "identity").expect(200);
  expect(answer.text).toBe(String(program));
  expect(answer.headers).toMatchObject({
    "content-type": "text/javascript; charset=utf-8",
    "content-security-policy": "default-src 'none'",
    "x-content-type-options": "nosniff",
    "cache-control": "public, max-age=300",
    vary: "Accept-Encoding",
  });
  expect(answer.headers["content-encoding"]).toBeUndefined();
});
