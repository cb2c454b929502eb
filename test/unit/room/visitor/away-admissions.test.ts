/** A room that fails open: who is let in while the store is away, when, and what stays as it was. */
import { describe, expect, test } from "vitest";
import type { RoomSettings } from "../../../../src/room/index.ts";
import { mayClaim } from "../../../../src/room/visitor/claims.ts";
import { manualSettings, withPatch } from "../../../support/room-settings.ts";
import { createSharedWorld, joinMany } from "../processes.ts";

/** Nobody is served by it before the outage. */
const periodic = { type: "periodic", outflowPerMinute: 60, endsAtMs: 1 } as const;

async function start(seed: string, patch: Parameters<typeof withPatch>[1], people = 30) {
  const world = createSharedWorld(seed);
  const settings: RoomSettings = { ...withPatch(manualSettings, patch), whenAway: "let_in" };
  const process = world.process("one", { isNewInstallation: true, settings });
  const other = world.process("other", { settings });
  const both = [process, other];
  await world.pass(5_000, both);
  const tickets = await joinMany(process, people, world.clock.now());
  await world.pass(2_000, both);
  const mayEnter = (each = process) => tickets.filter((ticket) => mayClaim(each.room, ticket)).length;
  const goAway = async (ms: number) => {
    world.setAway(true);
    await world.pass(ms, both);
  };
  return { world, process, other, both, tickets, mayEnter, goAway };
}

describe("visitors who wait", () => {
  test("are held for ten seconds, then enter in order and at the pace, at each process alike", async () => {
    const { world, process, other, both, mayEnter, goAway, tickets } = await start("pace", { inlet: periodic });
    await goAway(9_000);
    expect(mayEnter()).toBe(0);
    await world.pass(8_000, both);
    const entered = mayEnter();
    expect(entered).toBeGreaterThanOrEqual(5);
    expect(entered).toBeLessThanOrEqual(8);
    expect(Math.abs(mayEnter(other) - entered)).toBeLessThanOrEqual(1);
    expect(process.room.reportedState?.serving).toBe(entered);
    const [first, last] = [tickets[0], tickets.at(-1)];
    if (first === undefined || last === undefined) throw new Error("nobody waits");
    const answer = await process.room.claim(first, "login");
    expect(answer).toMatchObject({ result: "let_in", admission: { sub: first.sub, position: 1, via: "away" } });
    // The same visitor again, under the same admission.
    expect(await process.room.claim(first, "another")).toEqual(answer);
    expect((await process.room.claim(last, "login")).result).toBe("away");
  });

  test("enter no faster where the clock is set ahead by an hour, or back", async () => {
    const { world, both, mayEnter, goAway } = await start("clock", { inlet: periodic });
    await goAway(11_000);
    world.clock.advance(3_600_000);
    await world.pass(1_000, both);
    expect(mayEnter()).toBeLessThanOrEqual(8);
    world.clock.advance(-7_200_000);
    await world.pass(1_000, both);
    expect(mayEnter()).toBeLessThanOrEqual(9);
  });

  test("have their places when the store is back, which knows nothing of it", async () => {
    const { world, process, both, tickets, goAway, mayEnter } = await start("back", { inlet: periodic });
    await goAway(12_000);
    const [first] = tickets;
    if (first === undefined) throw new Error("nobody waits");
    expect((await process.room.claim(first, "login")).result).toBe("let_in");
    world.setAway(false);
    await world.pass(70_000, both);
    expect(mayEnter()).toBe(0);
    expect(process.room.availability).toBe("ready");
    expect(await process.room.admissions.find(first.sub)).toBeNull();
    await process.room.operations.step({ step: "increment", by: 1 }, null, "test");
    await world.pass(1_000, both);
    expect((await process.room.claim(first, "login")).result).toBe("admitted");
  });
});

describe("newcomers", () => {
  test("come behind all who wait, and each process lets in its share", async () => {
    const { world, process, both, goAway } = await start("newcomers", { inlet: periodic }, 3);
    const { away } = process.room;
    await goAway(12_000);
    const enter = () => away.admitNewcomer(process.room.visitorWithoutPlace().sub) !== null;
    expect(enter()).toBe(false);
    await world.pass(3_000, both);
    expect(away.isLineEmpty).toBe(true);
    expect([enter(), enter()]).toEqual([true, false]);
    await world.pass(1_000, both);
    expect(enter()).toBe(true);
  });

  test("have to join: a ticket without a place of this line lets nobody in, be it of an earlier one or a claimed one", async () => {
    const { world, process, both, goAway, tickets } = await start("old tickets", {}, 3);
    const [ticket] = tickets;
    if (ticket === undefined) throw new Error("nobody waits");
    await goAway(12_000);
    const claim = { admittedMs: 1, expiresMs: world.clock.now() + 1_000_000, via: "queue" } as const;
    for (const old of [
      { ...ticket, sub: "tickets.older", edition: ticket.edition - 1 },
      { ...process.room.visitorWithoutPlace(), claim },
    ]) {
      expect(mayClaim(process.room, old)).toBe(false);
      expect((await process.room.claim(old, "login")).result).toBe("away");
    }
    await world.pass(1_000, both);
    expect((await process.room.claim(ticket, "login")).result).toBe("let_in");
  });

  test("join without a place, by all that a join is held to; a key waits for the store, which knows whether it has one", async () => {
    const { world, process, both, goAway } = await start("joins", { inlet: periodic }, 3);
    const join = async (names: string[] | null = null) =>
      process.room.join(null, world.clock.now(), () => "192.0.2.1", names);
    await goAway(12_000);
    expect((await join()).result).toBe("later");
    await world.pass(3_000, both);
    const joined = await join();
    expect(joined).toMatchObject({ result: "joined", ticket: { position: 0, edition: 0 } });
    expect((await join(["AAAAAAAAAAAAAAAAAAAAAA"])).result).toBe("later");
    if (joined.result !== "joined") throw new Error("no ticket");
    expect((await process.room.claim(joined.ticket, "login")).result).toBe("let_in");
    expect((await join()).result).toBe("later");
    expect(process.room.away.hasLetIn(joined.ticket.sub)).toBe(true);
    expect((await process.room.claim(joined.ticket, "another")).result).toBe("let_in");
    world.setAway(false);
    await world.pass(70_000, both);
    expect(process.room.away.hasLetIn(joined.ticket.sub)).toBe(false);
  });
});

test.each([
  ["a room that holds", { whenAway: "hold" as const }],
  ["a room that says nothing of it", { whenAway: null }],
])("%s lets nobody in", async (_, patch) => {
  const world = createSharedWorld(String(patch.whenAway));
  const process = world.process("one", { isNewInstallation: true, settings: { ...manualSettings, ...patch } });
  await world.pass(5_000, [process]);
  const [ticket] = await joinMany(process, 1, world.clock.now());
  world.setAway(true);
  await world.pass(60_000, [process]);
  if (ticket === undefined) throw new Error("nobody waits");
  expect(process.room.away.isLettingIn).toBe(false);
  expect((await process.room.claim(ticket, "login")).result).toBe("away");
});

test("a room without a limit lets everybody in; one that is paused, nobody", async () => {
  const { world, process, both, mayEnter, goAway } = await start("no limit", {});
  await process.room.operations.step({ step: "pause" }, null, "test");
  await world.pass(2_000, both);
  await goAway(30_000);
  expect(mayEnter()).toBe(0);
  world.setAway(false);
  await world.pass(70_000, both);
  await process.room.operations.step({ step: "resume" }, null, "test");
  await world.pass(2_000, both);
  await goAway(12_000);
  expect(mayEnter()).toBe(30);
});
