/** Goal: where everybody passes, newcomers are bounded by what is on record, and nobody who has a place is. */
import { expect, test, vi } from "vitest";
import { createSharedWorld, joinOne } from "../processes.ts";

const recorded = vi.hoisted(() => ({ count: null as number | null }));
vi.mock("../../../../src/core/ports/records.ts", async (load) => {
  const records = await load<typeof import("../../../../src/core/ports/records.ts")>();
  return { ...records, countRecords: (all: never) => recorded.count ?? records.countRecords(all) };
});

test("a room that everybody passes holds newcomers back from a million admissions on, and no place in line", async () => {
  const world = createSharedWorld("pass bound");
  const process = world.process("one", { isNewInstallation: true });
  await world.pass(5_000, [process]);
  const { room } = process;
  const placed = await joinOne(process, world.clock.now());
  await room.operations.step({ step: "phase", phase: "passthrough" }, null, "test");
  recorded.count = 1_000_000;
  expect(await room.claim(room.visitorWithoutPlace(), "newcomer")).toMatchObject({ result: "held", by: "capacity" });
  expect(await room.claim(placed, "placed")).toMatchObject({ result: "admitted" });
  recorded.count = 999_999;
  expect(await room.claim(room.visitorWithoutPlace(), "newcomer")).toMatchObject({ result: "admitted" });
});
