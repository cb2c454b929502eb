import { expect, test } from "vitest";
import { tellPlace } from "../../../../src/http/public/place-status-json.ts";
import { createSharedWorld, joinMany, joinOne } from "../../waiting-room/processes.ts";

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
  expect([ticket.position, state.serving, one.room.serving]).toEqual([12, 0, 4]);

  expect(tellPlace(one.room, ticket, state)).toMatchObject({ state: "waiting", ahead: 11, serving: 0 });
  expect(tellPlace(one.room, ticket)).toMatchObject({ state: "waiting", ahead: 7, serving: 4 });
});
