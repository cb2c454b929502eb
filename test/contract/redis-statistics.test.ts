/** Goal: what the statistics of a room cost in Redis, as docs/statistics.md says. Method: a busy and an idle room, and the sizes of their keys. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { rowBytes } from "../../src/core/ports/statistics-ring.ts";
import { createDatabaseHarness, type RedisHarness } from "./redis-harness.ts";
import { okValue, RoomDriver, settings } from "./room-driver.ts";

let harness: RedisHarness;

beforeAll(async () => {
  harness = await createDatabaseHarness();
});
afterAll(() => harness.close());

/** Closes so many slots of ten seconds, and does this in each. */
async function play(room: RoomDriver, slots: number, act: () => Promise<unknown> = async () => {}): Promise<void> {
  for (let slot = 0; slot < slots; slot++) {
    await act();
    await harness.advance(10_000);
    okValue(await room.rooms.recordStatistics(room.room, room.incarnation, null));
  }
}

const usage = async (key: string) => Number(await harness.command("MEMORY", "USAGE", key));

it("is 110 bytes for each slot in which something happened, and one field for sixty of them", async () => {
  const room = await new RoomDriver(harness, "busy", settings()).open();
  await harness.advance(600_000 - (harness.nowMs() % 600_000));
  okValue(await room.rooms.recordStatistics(room.room, room.incarnation, null));
  const place = String(Math.floor(harness.nowMs() / 600_000) % 289);
  await play(room, 60, () => room.join());
  expect(rowBytes).toBe(118);
  expect(Number(await harness.command("HSTRLEN", "usher:{busy}:statistics_tens", place))).toBe(4 + 60 * rowBytes);
  expect(await usage("usher:{busy}:statistics_tens")).toBeLessThan(2 * (4 + 60 * rowBytes) + 500);
});

it("is next to nothing for a room that nobody uses", async () => {
  const room = await new RoomDriver(harness, "idle", settings()).open();
  await play(room, 30);
  const [tens, minutes] = [await usage("usher:{idle}:statistics_tens"), await usage("usher:{idle}:statistics_minutes")];
  await play(room, 720);
  expect(await usage("usher:{idle}:statistics_tens")).toBe(tens);
  expect(await usage("usher:{idle}:statistics_minutes")).toBe(minutes);
  expect(tens + minutes).toBeLessThan(1_500);
  expect(Number(await harness.command("EXISTS", "usher:{idle}:open_pages"))).toBe(0);
});

it("is bounded for pages that are open, and nothing when they are closed", async () => {
  const room = await new RoomDriver(harness, "watched", settings()).open();
  const pages = Array.from({ length: 5_000 }, (_, index) => index + 1);
  for (let sequence = 1; sequence <= 4; sequence++) {
    const report = { process: 1, sequence, refused: [], pages: pages.map((page) => page + sequence * 5_000) };
    okValue(await room.rooms.recordStatistics(room.room, room.incarnation, report));
  }
  expect(await usage("usher:{watched}:open_pages")).toBeLessThan(17_000);
  await play(room, 12);
  expect(Number(await harness.command("EXISTS", "usher:{watched}:open_pages"))).toBe(0);
});

it("goes with the room", async () => {
  const room = await new RoomDriver(harness, "gone", settings()).open();
  await play(room, 12, () => room.join());
  await room.rooms.recordStatistics(room.room, room.incarnation, { process: 1, sequence: 1, refused: [], pages: [1] });
  await room.rooms.forget(room.room);
  const keys = ["statistics_tens", "statistics_minutes", "open_pages", "state"].map((name) => `usher:{gone}:${name}`);
  expect(Number(await harness.command("EXISTS", ...(keys as [string])))).toBe(0);
});
