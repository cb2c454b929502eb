import { expect, test } from "vitest";
import { drawOf, reportedPlace } from "../../../../src/room/index.ts";
import { placeStatusJson } from "../../../../src/web/visitor/place-status-json.ts";
import { manualSettings } from "../../../support/room-settings.ts";
import { createSharedWorld, joinMany, joinOne } from "../../room/processes.ts";

test("a page's figures are of one state, though joins have told of a later one", async () => {
  const world = createSharedWorld("one-state");
  const one = world.process("one", { isNewInstallation: true });
  const two = world.process("two");
  await world.pass(5_000, [one, two]);
  await joinMany(one, 11, world.clock.now());
  await world.pass(1_000, [one, two]);
  await two.room.operations.step({ step: "increment", by: 4 }, null, "test");
  const ticket = await joinOne(one, world.clock.now());
  const { state } = one.room;
  if (state === null) throw new Error("nothing was heard");
  expect([ticket.position, state.serving, one.room.replica.latest?.serving]).toEqual([12, 0, 4]);

  expect(reportedPlace(one.room, ticket, state)).toMatchObject({ state: "waiting", ahead: 11, serving: 0 });
  expect(reportedPlace(one.room, ticket)).toMatchObject({ state: "waiting", ahead: 7, serving: 4 });
});

test.each([
  ["with a prequeue", 1_000_000, null],
  ["without one", null, 11],
])("who knows nothing of the room tells of a ticket's number what is sure: %s", async (_, prequeueAtMs, ahead) => {
  const world = createSharedWorld("knows nothing");
  const one = world.process("one", { isNewInstallation: true });
  await world.pass(5_000, [one]);
  const ticket = (await joinMany(one, 12, world.clock.now())).at(-1);
  if (ticket === undefined) throw new Error("nobody has joined");
  const schedule = { prequeueAtMs, opensAtMs: prequeueAtMs && prequeueAtMs + 1, endsAtMs: null };
  const draw = { order: "random", beacon: "none" } as const;
  const { room } = world.process("two", { settings: { ...manualSettings, schedule, draw } });
  expect(placeStatusJson(reportedPlace(room, ticket))).toMatchObject({ position: 12, ahead, serving: null });
  expect(drawOf(reportedPlace(room, ticket))).toBe(ahead === null ? "undrawn" : null);
});
