/** What the gate answers visitors whom it takes for people that may pass, when the room has a line again. */
import { expect, test } from "vitest";
import { createSharedWorld, joinOne, type Process } from "../room/processes.ts";
import { createGateVisits } from "./gate-visits.ts";

async function enterAndEnd({ room }: Process, world: ReturnType<typeof createSharedWorld>) {
  const ticket = await joinOne({ room } as Process, world.clock.now());
  await room.operations.step({ step: "increment", by: 1 }, null, "operator");
  const entered = await room.claim(ticket, null);
  if (entered.result !== "admitted") throw new Error(entered.result);
  const { admittedMs, expiresMs, via } = entered.admission;
  await room.admissions.end(ticket.sub, "logout");
  return { ...ticket, claim: { admittedMs, expiresMs, via } };
}

test.each([
  ["has come to its end", false],
  ["was voided by a reset", true],
])("whose place %s joins the line of a room that lets everybody pass no more (rule 6)", async (_, isReset) => {
  const world = createSharedWorld("gate-reopened");
  const [one, two] = [world.process("one", { isNewInstallation: true }), world.process("two")];
  await one.refresh();
  const ticket = await enterAndEnd(one, world);
  await one.room.operations.step({ step: "phase", phase: "passthrough" }, null, "operator");
  await two.refresh();
  if (isReset) await one.room.operations.step({ step: "reset" }, null, "operator");
  await one.room.operations.step({ step: "phase", phase: "open" }, null, "operator");

  expect(two.room.entrance).toBe("pass");
  expect(await createGateVisits(world.clock)(two, ticket)).toBe("waiting");
});
