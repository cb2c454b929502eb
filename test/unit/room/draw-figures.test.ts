/** How many take part in a draw, and when it is held, as the public status says it at each stage, against the record. */
import { expect, test } from "vitest";
import { drawJson } from "../../../src/web/pages/render/status-json.ts";
import { drawOf, inPrequeue, positionOf, source, toOpening } from "./draw-world.ts";
import { joinMany, joinOne, type Process } from "./processes.ts";

function toldBy(process: Process) {
  const { state } = process.room;
  if (state === null) throw new Error("nothing is known");
  return drawJson(state, drawOf(process));
}

const recordOf = ({ room }: Process) => room.draws.document()?.draws.at(-1);
const msOf = (time: string | null) => Date.parse(time ?? "");

test("the number is that of the record, and whoever comes later is not counted", async () => {
  const { world, one, both, opensAtMs } = await inPrequeue("figures");
  expect(toldBy(one)).toMatchObject({ stage: "committed", entries: 0 });
  const [first = await Promise.reject(new Error("nobody has joined"))] = await joinMany(one, 12, 0);
  await world.pass(1_000, both);
  expect(both.map((each) => toldBy(each).entries)).toEqual([12, 12]);
  expect(recordOf(one)).toMatchObject({ stage: "committed", entries: null });

  await toOpening(world, opensAtMs, both);
  await joinOne(one, world.clock.now());
  await world.pass(1_000, both);
  expect(toldBy(one)).toMatchObject({ stage: "closing", entries: 13 });
  const { due_at } = toldBy(one);
  // Five seconds for entries, and then until every process knows the last.
  expect(msOf(due_at) - opensAtMs).toBe(7_500);

  await world.pass(4_000, both);
  await joinMany(one, 5, world.clock.now());
  await world.pass(500, both);
  expect(toldBy(one)).toEqual({ id: 1, stage: "closed", entries: 13, voids: 0, due_at });
  expect(recordOf(one)).toMatchObject({ stage: "closed", entries: 13 });
  expect(one.room.describe(first)?.entries).toBeNull();

  while (drawOf(one).stage !== "drawn") await world.pass(500, both);
  expect(Math.abs(world.clock.now() - msOf(due_at))).toBeLessThan(1_500);
  await joinMany(one, 5, world.clock.now());
  await world.pass(1_000, both);
  expect(toldBy(one)).toEqual({ id: 1, stage: "drawn", entries: 13, voids: 0, due_at: null });
  expect(recordOf(one)?.entries).toBe(13);
  expect(one.room.describe(first)).toMatchObject({ entry: 1, entries: 13, position: positionOf(one, first) });
});

test("one who joined behind the draw has no number of it", async () => {
  const { world, one, both, opensAtMs } = await inPrequeue("behind");
  await joinMany(one, 3, 0);
  await toOpening(world, opensAtMs, both);
  await world.pass(10_000, both);
  const late = await joinOne(one, world.clock.now());
  expect(one.room.describe(late)).toMatchObject({ position: 4, entry: null, entries: null });
});

test("numbers that nobody holds after a loss do not count, and those that are shown again do", async () => {
  const { world, one, settings, opensAtMs } = await inPrequeue("gaps");
  await joinMany(one, 25, 0);
  await world.pass(1_000, [one]);
  await one.stop();
  world.wipe();
  const again = world.process("one", { settings, draws: source() });
  await world.pass(4_000, [again]);
  const [back] = await joinMany(again, 1, world.clock.now());
  await world.pass(1_000, [again]);
  const { entries } = toldBy(again);
  expect(back?.position).toBeGreaterThan(26);
  expect(entries).toBeLessThan(back?.position ?? 0);
  await toOpening(world, opensAtMs, [again]);
  await world.pass(9_000, [again]);
  expect(toldBy(again)).toMatchObject({ stage: "drawn", entries });
  expect(recordOf(again)?.entries).toBe(entries);
});

test("with a beacon the draw is due when its round is published", async () => {
  const { world, one, both, opensAtMs } = await inPrequeue("due", "drand", source());
  const announced = toldBy(one).due_at;
  expect(announced).toBe(recordOf(one)?.beacon?.published_at);
  await toOpening(world, opensAtMs, both);
  expect(toldBy(one)).toMatchObject({ stage: "closing", due_at: announced });
  expect(msOf(announced) - opensAtMs).toBeGreaterThanOrEqual(11_000);
});

test("an opening that was passed over is no time of the draw", async () => {
  const { world, one, both, opensAtMs } = await inPrequeue("no time");
  expect(toldBy(one).due_at).toBe(new Date(opensAtMs + 7_500).toISOString());
  await toOpening(world, opensAtMs, both);
  expect(drawOf(one).stage).toBe("closing");
  await one.room.operations.step({ step: "phase", phase: "prequeue" }, null, "test");
  await world.pass(1_000, both);
  expect(toldBy(one)).toMatchObject({ stage: "committed", due_at: null });
});

test("a draw that was called off has neither", async () => {
  const { world, one, both } = await inPrequeue("called off");
  await joinMany(one, 3, 0);
  await one.room.operations.step({ step: "phase", phase: "passthrough" }, null, "test");
  await world.pass(1_000, both);
  expect(toldBy(one)).toEqual({ id: 1, stage: "cancelled", entries: null, voids: 0, due_at: null });
});

test("before the prequeue nobody can have entered", async () => {
  const { announced, one } = await inPrequeue("announced");
  const { state } = one.room;
  expect(announced.first).toBe(0);
  expect(state && drawJson({ ...state, queued: 9 }, announced).entries).toBeNull();
});
