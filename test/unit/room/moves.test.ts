import { describe, expect, test } from "vitest";
import { createMoveLinks, type MoveLink } from "../../../src/room/tickets/move-link.ts";
import type { Ticket } from "../../../src/room/tickets/ticket.ts";
import { createKeyRing } from "../../../src/room/tickets/ticket.ts";
import type { MoveRule } from "../../../src/store/contract/room-settings.ts";
import { manualSettings } from "../../support/room-settings.ts";
import { createSeededRandom } from "../../support/seeded-random.ts";
import { createSharedWorld, joinMany, joinOne, type Process } from "./processes.ts";

const random = createSeededRandom("moves");
const links = createMoveLinks(createKeyRing([{ kid: "key", secret: Buffer.alloc(32, 7) }]), random);

async function twoProcesses(seed: string, moves: MoveRule = "once") {
  const world = createSharedWorld(seed);
  const settings = { ...manualSettings, moves };
  const one = world.process("one", { isNewInstallation: true, settings });
  const two = world.process("two", { settings });
  await one.refresh();
  await two.refresh();
  return { world, one, two };
}

const linkOf = ({ room }: Process, ticket: Ticket): MoveLink => links.make(ticket, room.storeNowMs ?? 0, null);

/** Carries a place to a new visitor. */
async function moveOn(process: Process, ticket: Ticket, to = process.room.visitorWithoutPlace().sub): Promise<Ticket> {
  expect(await process.room.moves.take(linkOf(process, ticket), to)).toBe(true);
  return { ...ticket, sub: to };
}

const stateOf = ({ room }: Process, ticket: Ticket) => room.describe(ticket)?.state;

describe("a place that was moved", () => {
  test("is known at once to the process that did it, and to others at their next refresh", async () => {
    const { world, one, two } = await twoProcesses("heard");
    const ticket = await joinOne(one, 0);
    await two.refresh();
    const moved = await moveOn(one, ticket);
    expect([stateOf(one, ticket), stateOf(one, moved)]).toEqual(["expired", "waiting"]);
    expect([stateOf(two, ticket), two.room.isMoved(ticket)]).toEqual(["waiting", false]);
    await two.refresh();
    expect([stateOf(two, ticket), stateOf(two, moved)]).toEqual(["expired", "waiting"]);
    expect(two.room.isMoved(ticket)).toBe(true);
    // A process that begins now hears of all.
    const three = world.process("three");
    await three.refresh();
    expect(three.room.isMoved(ticket)).toBe(true);
  });

  test("is reported by an event, with the old and the new holder", async () => {
    const { one } = await twoProcesses("told");
    const ticket = await joinOne(one, 0);
    const reported: object[] = [];
    one.events.on("place.moved", (fields) => reported.push(fields));
    const moved = await moveOn(one, ticket);
    expect(await one.room.moves.take(linkOf(one, ticket), "tickets.another")).toBe(false);
    expect(reported).toEqual([{ room: "tickets", from: ticket.sub, sub: moved.sub }]);
  });

  test("and comes back is nobody else's, though this process has synced the first move alone", async () => {
    const { one, two } = await twoProcesses("back", "unlimited");
    const ticket = await joinOne(one, 0);
    const moved = await moveOn(one, ticket);
    await two.refresh();
    await moveOn(one, moved, ticket.sub);
    expect(two.room.isMoved(ticket)).toBe(true);
    expect(await two.room.confirmMoved(ticket)).toBe(false);
    expect(await two.room.confirmMoved(moved)).toBe(true);
  });

  test("where everybody passes, admits its former holder as anybody; elsewhere it says that the place is over", async () => {
    const { one } = await twoProcesses("passes");
    const ticket = await joinOne(one, 0);
    await moveOn(one, ticket);
    expect(await one.room.claim(ticket, null)).toEqual({ result: "moved" });
    await one.room.operations.step({ step: "phase", phase: "prequeue" }, "step-1", "test");
    await one.refresh();
    expect(stateOf(one, ticket)).toBe("expired");
    await one.room.operations.step({ step: "phase", phase: "passthrough" }, "step-2", "test");
    await one.refresh();
    expect(stateOf(one, ticket)).toBe("served");
    expect(await one.room.claim(ticket, null)).toMatchObject({ result: "admitted", admission: { position: 0 } });
  });

  test("of an edition that was reset is as good as unknown", async () => {
    const { one } = await twoProcesses("reset");
    const ticket = await joinOne(one, 0);
    await moveOn(one, ticket);
    const link = linkOf(one, ticket);
    await one.room.operations.step({ step: "reset" }, "step-1", "test");
    await one.refresh();
    expect(await one.room.moves.take(link, "tickets.another")).toBe(false);
    const next = await joinOne(one, 0);
    expect([next.position, stateOf(one, next)]).toEqual([ticket.position, "waiting"]);
  });

  test("is no news of the next edition, though the room is reset before the answer is read", async () => {
    const { world, one } = await twoProcesses("overtaken");
    const ticket = await joinOne(one, 0);
    world.afterNext("move", async () => {
      await one.room.operations.step({ step: "reset" }, "step-1", "test");
      await one.refresh();
    });
    expect(await one.room.moves.take(linkOf(one, ticket), "tickets.another")).toBe(true);
    const next = await joinOne(one, 0);
    expect([next.position, one.room.isMoved(next), stateOf(one, next)]).toEqual([1, false, "waiting"]);
  });

  test("that the store has lost is moved all the same, if a process had synced it, and so are 1,200 places", async () => {
    const { world, one, two } = await twoProcesses("lost");
    const tickets = await joinMany(one, 1_200, 0);
    const moved: Ticket[] = [];
    for (const ticket of tickets) moved.push(await moveOn(one, ticket));
    await two.refresh();
    await one.stop();
    world.wipe();
    await world.pass(20_000, [two]);
    await two.room.operations.step({ step: "increment", by: 1_200 }, "step-1", "test");
    for (const index of [0, 499, 500, 1_000, 1_199]) {
      expect(await two.room.claim(tickets[index] as Ticket, null)).toEqual({ result: "moved" });
      expect(await two.room.claim(moved[index] as Ticket, null)).toMatchObject({ result: "admitted", isNew: true });
    }
  });

  test("by a ticket that proves a loss is recovered first, and then moved", async () => {
    const { world, one } = await twoProcesses("ahead");
    await world.pass(1_000, [one]);
    world.save();
    const ticket = await joinOne(one, world.clock.now());
    world.restore();
    await expect(one.room.moves.take(linkOf(one, ticket), "tickets.another")).rejects.toThrow("recovered");
    await world.pass(5_000, [one]);
    // Links are void that were made before the store's present incarnation.
    expect(await one.room.moves.take({ ...linkOf(one, ticket), madeMs: 0 }, "tickets.another")).toBe(false);
    await moveOn(one, ticket);
  });

  test("stays as it was while the store is away", async () => {
    const { world, one } = await twoProcesses("away");
    const ticket = await joinOne(one, 0);
    world.setAway(true);
    await expect(one.room.moves.take(linkOf(one, ticket), "tickets.another")).rejects.toThrow("the store is away");
    world.setAway(false);
    await one.refresh();
    expect(stateOf(one, ticket)).toBe("waiting");
    const moved = await moveOn(one, ticket);
    world.setAway(true);
    expect([await one.room.confirmMoved(ticket), await one.room.confirmMoved(moved)]).toEqual([true, false]);
  });
});
