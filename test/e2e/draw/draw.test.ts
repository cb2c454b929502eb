/**
 * Goal: what visitors and programs are told of a draw over HTTP is one story from the prequeue to the place: pages, status,
 * tickets, receipts and the public record. Method: visitors come before the opening and after the draw; the record is checked with their receipts.
 */
import { decodeJwt } from "jose";
import { expect, test } from "vitest";
import { verifyRound } from "../../../src/room/draw-recipe/beacon-signature.ts";
import { readDrawDocument, verifyDraw } from "../../../src/room/draw-recipe/index.ts";
import type { DrawJson } from "../../../src/room/public-status/status.ts";
import { attribute } from "../../support/visitor.ts";
import { memoryStore, useWorld } from "../world.ts";

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
const world = useWorld(() => ({
  store: memoryStore,
  rooms: [{ id: "lots", settings: { schedule: { prequeue_at: inMs(3_600_000), opens_at: inMs(7_200_000) } } }],
}));
const html = { accept: "text/html,application/xhtml+xml" };
const mainOf = (body: string) => body.match(/<main\b[^>]*>/)?.[0] ?? "";
const room = (path: string) => `${world().issuer}/rooms/lots${path}`;

interface Place {
  readonly state: string;
  readonly position: number;
  readonly entry: number | null;
  readonly entries: number | null;
}

async function ask(path: string, ticket?: string) {
  return world().http.get(room(path), ticket === undefined ? {} : { authorization: `Bearer ${ticket}` });
}

async function join(): Promise<Place & { ticket: string }> {
  const answer = await world().http.request(room("/tickets"), { method: "POST" });
  expect(answer.status).toBe(201);
  return answer.json() as Place & { ticket: string };
}

const status = async () => ((await ask("/status")).json() as { draw: DrawJson | null }).draw;
const stage = async () => (await status())?.stage;

test("from entry numbers to places, with the record and receipts that prove it", async () => {
  const record = async () => readDrawDocument((await ask("/draw")).json());
  await expect.poll(async () => (await record()).draws.length).toBe(1);
  const [announced] = (await record()).draws;
  expect((await ask("/draw")).header("access-control-allow-origin")).toBe("*");
  expect(announced).toMatchObject({ stage: "committed", seed: null, first: null });

  await world().admin.step("lots", "prequeue");
  const site = world().relyingParty("lots");
  const visitor = world().visitor();
  const login = site.startLogin();
  const parked = await visitor.navigate(login.url, { stopAt: site.isCallback });
  expect([parked.state, parked.position]).toEqual(["entered", 1]);
  expect(attribute(mainOf(parked.body), "data-draw")).toBe("undrawn");
  expect(parked.body).toContain('href="/rooms/lots/draw"');
  const joined = [];
  for (let i = 0; i < 20; i++) joined.push(await join());
  expect(joined[19]).toMatchObject({ state: "entered", entry: 21, entries: null });
  await expect.poll(status).toMatchObject({ id: 1, stage: "committed", entries: 21 });
  expect(Date.parse((await status())?.due_at ?? "")).toBeGreaterThan(Date.parse(announced?.closes_at ?? ""));

  // The page of the draw, for whoever has an entry number and for whoever has none.
  const page = await visitor.fetch(room("/draw"), { headers: html });
  expect(page.header("content-type")).toBe("text/html; charset=utf-8");
  expect(page.header("cache-control")).toBe("no-store");
  expect(page.header("content-security-policy")).toContain("worker-src 'self'");
  const answer = await visitor.fetch(room("/tickets/me/receipt"));
  expect(answer.header("cache-control")).toBe("no-store");
  const told = answer.json() as { receipt: string };
  const [shown = ""] = /(?<=id="receipt"[^>]*value=")[^"]+/.exec(page.body) ?? [];
  // Each says when it was made, in seconds.
  expect(decodeJwt(shown)).toEqual({ ...decodeJwt(told.receipt), iat: expect.any(Number) });
  expect((await world().visitor().fetch(room("/draw"), { headers: html })).body).not.toContain('id="receipt"');
  const checker = await ask("/draw/checker.js");
  expect([checker.status, checker.header("content-type")]).toEqual([200, "text/javascript; charset=utf-8"]);
  const programs = await visitor.navigate(login.url, { headers: { accept: "application/json" } });
  expect(programs.json()).toMatchObject({ state: "entered", entry: 1 });

  await world().admin.step("lots", "open");
  await expect.poll(stage).toMatch(/^clos/);
  const drawing = await visitor.navigate(login.url, { stopAt: site.isCallback });
  expect(drawing.state).toBe("drawing");
  await expect.poll(stage, { timeout: 60_000 }).toBe("drawn");
  const late = await join();
  expect(late).toMatchObject({ position: 22, entry: null, entries: null });
  expect((await ask("/tickets/me/receipt", late.ticket)).json()).toMatchObject({ error: "not_an_entry" });

  const places = await Promise.all(
    joined.map(async ({ ticket }) => (await ask("/tickets/me", ticket)).json() as Place),
  );
  const drawn = await visitor.navigate(login.url, { stopAt: site.isCallback });
  expect(attribute(mainOf(drawn.body), "data-draw")).toBe("drawn");
  const positions = [drawn.position ?? 0, ...places.map(({ position }) => position)];
  expect(positions.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 21 }, (_, index) => index + 1));
  expect(places.map(({ entry }) => entry)).toEqual(joined.map(({ entry }) => entry));

  const proof = await record();
  expect(new Set(places.map(({ entries }) => entries))).toEqual(new Set([21]));
  expect(await status()).toEqual({ id: 1, stage: "drawn", entries: proof.draws[0]?.entries, voids: 0, due_at: null });
  expect(proof.draws[0]?.commitment).toBe(announced?.commitment);
  const receipts = await Promise.all(
    joined.map(
      async ({ ticket }) => ((await ask("/tickets/me/receipt", ticket)).json() as { receipt: string }).receipt,
    ),
  );
  const report = verifyDraw(proof, [told.receipt, ...receipts], { verifyRound });
  expect(report.checks.filter(({ status }) => status === "failed")).toEqual([]);
  expect(report.places.map(({ position }) => position)).toEqual(positions);
});
