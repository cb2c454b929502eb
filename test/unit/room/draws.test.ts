import { describe, expect, test } from "vitest";
import { drawWarnings } from "../../../src/operate/admin-api/rooms/schedule-warnings.ts";
import { DrawnOrders } from "../../../src/room/draw/entries.ts";
import { commitmentOf, createOrder, quicknet, readReceipt, verifyDraw } from "../../../src/room/draw-recipe/index.ts";
import { numberOf, type Ticket } from "../../../src/room/tickets/ticket.ts";
import { claimedTicket } from "../../../src/room/visitor/claims.ts";
import type { Draw, RoomSettings } from "../../../src/store/contract/room-store.ts";
import {
  drawOf,
  inPrequeue,
  key,
  letIn,
  otherKey,
  positionOf,
  settingsAt,
  source,
  stateOf,
  toOpening,
} from "./draw-world.ts";
import { createSharedWorld, joinMany, joinOne, type Process } from "./processes.ts";

describe("a draw", () => {
  test("is committed to before the prequeue, and its seed is what was committed to", async () => {
    const { world, one, two, both, opensAtMs, announced } = await inPrequeue("committed");
    expect(announced).toMatchObject({ id: 1, stage: "committed", first: 0, keyId: "draw-1" });
    expect(announced.commitment).toMatch(/^[0-9a-f]{64}$/);
    await joinMany(one, 3, world.clock.now());
    await joinMany(two, 4, world.clock.now());
    await toOpening(world, opensAtMs, both);
    await world.pass(9_000, both);
    const drawn = drawOf(one);
    expect(drawn).toEqual(drawOf(two));
    expect(drawn).toMatchObject({ stage: "drawn", first: 1, last: 7, commitment: announced.commitment });
    const { edition } = one.room.state ?? { edition: 0 };
    expect(commitmentOf({ room: "tickets", edition, id: 1 }, drawn.seed)).toBe(announced.commitment);
  });

  test("gives visitors who came before the opening the first places, and later ones theirs in order", async () => {
    const { world, one, two, both, opensAtMs } = await inPrequeue("places");
    const early = [...(await joinMany(one, 20, 0)), ...(await joinMany(two, 20, 0))];
    await toOpening(world, opensAtMs, both);
    expect(one.room.state?.phase).toBe("open");
    // A page that was loaded just before the opening comes just after it.
    const inGrace = await joinOne(two, world.clock.now());
    await world.pass(4_500, both);
    const late = [await joinOne(one, world.clock.now()), await joinOne(two, world.clock.now())];
    await world.pass(5_000, both);

    const entries = [...early, inGrace];
    const drawn = entries.map((ticket) => positionOf(one, ticket));
    expect(drawn.toSorted((a, b) => a - b)).toEqual(entries.map((_, index) => index + 1));
    expect(drawn).not.toEqual(entries.map((ticket) => numberOf(ticket)));
    expect(entries.map((ticket) => positionOf(two, ticket))).toEqual(drawn);
    expect(late.map((ticket) => positionOf(one, ticket))).toEqual([42, 43]);
    const { room, edition } = { room: "tickets", edition: one.room.state?.edition ?? 0 };
    const { seed, first, last } = drawOf(one);
    const order = createOrder({ room, edition, id: 1, seed, first, last, gaps: [], beacon: null });
    expect(drawn).toEqual(entries.map((ticket) => order.positionOf(numberOf(ticket))));
  });

  test("of a room that was made at run time is checked by its public id", async () => {
    const world = createSharedWorld("line");
    const opensAtMs = world.clock.now() + 700_000;
    const options = { settings: settingsAt(opensAtMs), draws: source(), line: "a1b2c3" };
    const one = world.process("one", { isNewInstallation: true, ...options });
    await world.pass(2_000, [one]);
    world.clock.advance(98_000);
    await world.pass(1_000, [one]);
    const entries = await joinMany(one, 30, 0);
    await toOpening(world, opensAtMs, [one]);
    await world.pass(10_000, [one]);
    const document = one.room.draws.document();
    if (document === null) throw new Error("nothing is published");
    const receipts = entries.map((ticket) => one.room.draws.receiptFor(ticket) ?? "");
    const { checks, places } = verifyDraw(document, receipts, { verifyRound: () => true });
    expect(checks.filter(({ status }) => status === "failed")).toEqual([]);
    expect(places.map(({ position }) => position)).toEqual(entries.map((ticket) => positionOf(one, ticket)));
  });

  test("is over before any visitor is shown a place or admitted, whatever the operator has served", async () => {
    const { world, one, two, both, opensAtMs } = await inPrequeue("nobody before");
    const entries = await joinMany(one, 10, 0);
    await letIn(one, 5);
    await toOpening(world, opensAtMs, both);
    for (let i = 0; i < 14; i++) {
      if (drawOf(one).stage === "drawn") break;
      for (const each of both) {
        const states = entries.map((ticket) => stateOf(each, ticket));
        expect(new Set(states)).toEqual(new Set(["entered"]));
        expect((await each.room.claim(entries[0] as Ticket, null)).result).toBe("waiting");
      }
      await world.pass(500, both);
    }
    await world.pass(1_000, both);
    const results = await Promise.all(entries.map((ticket) => two.room.claim(ticket, null)));
    const admitted = entries.filter((_, index) => results[index]?.result === "admitted");
    expect(admitted.map((ticket) => positionOf(two, ticket)).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5]);
  });

  test("a process that has not synced the prequeue shows no entry number as a place", async () => {
    const { world, one, two, opensAtMs } = await inPrequeue("unheard prequeue");
    const [known] = await joinMany(one, 1, 0);
    await two.refresh();
    const [entry] = await joinMany(one, 1, 0);
    const { state } = two.room;
    if (known === undefined || entry === undefined || state === null) throw new Error("nobody has joined");
    const idle = { ...state, basePhase: "idle" as const, phase: "idle" as const, draws: [] };
    expect(two.room.describe(known, idle)).toMatchObject({ state: "waiting", position: 1 });
    expect(two.room.describe(entry, idle)).toMatchObject({ state: "entered", position: 2 });
    // Where the line was open when it was heard of last, a place behind what was heard is most likely one in it.
    const open = { ...idle, basePhase: "open" as const, phase: "open" as const };
    expect(two.room.describe(entry, open)).toMatchObject({ state: "waiting", position: 2 });
    await toOpening(world, opensAtMs, [one, two]);
    await world.pass(9_000, [one, two]);
    const drawn = two.room.describe(entry);
    expect(drawn).toMatchObject({ state: "waiting", position: positionOf(one, entry), entry: 2 });
  });

  test("a process that has not synced it admits nobody by the entry number", async () => {
    const { world, one, two, opensAtMs } = await inPrequeue("unheard");
    const entries = await joinMany(one, 30, 0);
    await two.refresh();
    await toOpening(world, opensAtMs, [one, two]);
    await world.pass(9_000, [one]);
    expect([drawOf(one).stage, drawOf(two).stage]).toEqual(["drawn", "closing"]);
    await letIn(one, 1);
    const first = entries.find((ticket) => positionOf(one, ticket) === 1) as Ticket;
    const wouldBeFirst = entries[0] as Ticket;
    expect(first).not.toBe(wouldBeFirst);
    expect((await two.room.claim(wouldBeFirst, null)).result).toBe("waiting");
    expect((await two.room.claim(first, null)).result).toBe("waiting");
    await two.refresh();
    expect((await two.room.claim(wouldBeFirst, null)).result).toBe("waiting");
    const entry = { number: numberOf(first), draw: 1 };
    const result = await two.room.claim(first, null);
    expect(result).toMatchObject({ result: "admitted", admission: { position: 1, entry } });
    if (result.result !== "admitted") return;
    // The ticket of who is in names the same place, wherever it is read.
    const token = two.room.encode(claimedTicket(two.room, first, result.admission));
    expect(one.room.read(token)).toMatchObject({ kind: "ticket", ticket: { position: 1, entry } });
    await one.refresh();
    expect(stateOf(one, first)).toBe("admitted");
  });

  test.each([
    ["in the prequeue", 0],
    ["while entries are still taken", 2_000],
    ["when it is closed", 6_000],
    ["when it is drawn", 10_000],
  ])("is the same after the store was lost %s", async (_, afterMs) => {
    const { world, one, both, opensAtMs, announced } = await inPrequeue(`lost ${afterMs}`);
    const entries = await joinMany(one, 50, 0);
    await world.pass(1_000, both);
    if (afterMs > 0) {
      await toOpening(world, opensAtMs, both);
      await world.pass(afterMs, both);
    }
    const before = drawOf(one);
    world.wipe();
    await world.pass(4_000, both);
    if (afterMs === 0) await toOpening(world, opensAtMs, both);
    await world.pass(12_000, both);
    const after = drawOf(one);
    expect(after).toEqual(drawOf(both[1] as Process));
    expect(after).toMatchObject({ stage: "drawn", commitment: announced.commitment, first: 1 });
    if (before.last > 0) expect(after.last).toBe(before.last);
    if (before.seed !== "") expect(after).toEqual(before);
    const places = entries.map((ticket) => positionOf(one, ticket));
    expect(new Set(places).size).toBe(50);
    // What was skipped in the loss is behind them all.
    expect(Math.max(...places)).toBe(50);
  });

  test("is the same to a process that was started again, with the store lost as well", async () => {
    const { world, one, two, both, opensAtMs, settings } = await inPrequeue("all restarted");
    const entries = await joinMany(one, 20, 0);
    await toOpening(world, opensAtMs, both);
    await world.pass(9_000, both);
    const places = entries.map((ticket) => positionOf(one, ticket));
    const before = drawOf(one);
    await one.stop();
    await two.stop();
    world.wipe();
    const again = world.process("one", { settings, draws: source() });
    await world.pass(5_000, [again]);
    expect(drawOf(again)).toEqual(before);
    expect(entries.map((ticket) => positionOf(again, ticket))).toEqual(places);
  });

  test("has all entries, when the only process has just ended in good order and the store is lost as well", async () => {
    const { world, one, two, opensAtMs, settings } = await inPrequeue("ended just after");
    await two.stop();
    await joinMany(one, 20, 0);
    await world.pass(1_000, [one]);
    const last = await joinMany(one, 5, 0);
    await one.stop();
    world.wipe();
    const again = world.process("one", { settings, draws: source() });
    await world.pass(5_000, [again]);
    await toOpening(world, opensAtMs, [again]);
    await world.pass(9_000, [again]);
    expect(drawOf(again)).toMatchObject({ stage: "drawn", gaps: [{ from: 26, to: 1_025 }] });
    for (const ticket of last) expect(positionOf(again, ticket)).toBeLessThanOrEqual(25);
  });

  test("has those whom nobody remembers, once one of them has shown a ticket in time", async () => {
    const { world, one, two: again, both, opensAtMs } = await inPrequeue("killed just after");
    await joinMany(one, 20, 0);
    await world.pass(1_000, both);
    // Of these the other process has not heard, and neither the one that gave them out nor its disk comes back.
    const last = await joinMany(one, 5, 0);
    world.wipe();
    await world.pass(5_000, [again]);
    const [, , , shown, unseen] = last as [Ticket, Ticket, Ticket, Ticket, Ticket];
    expect(again.room.isAhead(shown)).toBe(false);
    expect(again.room.isNews(shown)).toBe(true);
    await again.room.verifyAhead(shown);
    expect(last.filter((ticket) => again.room.isNews(ticket))).toEqual([unseen]);
    expect(again.room.availability).toBe("ready");
    await toOpening(world, opensAtMs, [again]);
    await world.pass(9_000, [again]);
    expect(again.room.isNews(unseen)).toBe(false);
    expect(positionOf(again, unseen)).toBe(25);
    for (const ticket of last.slice(0, 4)) expect(positionOf(again, ticket)).toBeLessThanOrEqual(24);
  });

  test("keeps its commitment when the draw key has changed since, and takes the new one for the next", async () => {
    const keys = [key];
    const { world, one, both, opensAtMs, announced } = await inPrequeue("rotated", "none", source(keys));
    await joinMany(one, 5, 0);
    keys.unshift(otherKey);
    await toOpening(world, opensAtMs, both);
    await world.pass(9_000, both);
    expect(drawOf(one)).toMatchObject({ stage: "drawn", keyId: "draw-1", commitment: announced.commitment });
    await one.room.operations.step({ step: "phase", phase: "prequeue" }, null, "test");
    await world.pass(1_000, both);
    expect(drawOf(one)).toMatchObject({ id: 2, stage: "committed", keyId: "draw-2", first: 6 });
  });

  test("whose key no process has is reported, and everybody can be let in all the same", async () => {
    const keys = [key];
    const { world, one, both, opensAtMs } = await inPrequeue("key gone", "none", source(keys));
    const [ticket] = await joinMany(one, 5, 0);
    expect(drawWarnings(one.room.draws)).toEqual([]);
    const reported: object[] = [];
    one.events.on("draw.key_unknown", (fields) => reported.push(fields));
    keys.splice(0, 1, otherKey);
    await world.pass(1_000, both);
    // In time, while the key may still be found.
    expect(reported).toHaveLength(1);
    expect(drawWarnings(one.room.draws)).toMatchObject([expect.stringContaining("draw key draw-1")]);
    await toOpening(world, opensAtMs, both);
    await world.pass(9_000, both);
    expect(drawOf(one).stage).toBe("closed");
    expect(reported).toMatchObject([{ room: "tickets", draw: 1, key: "draw-1" }]);
    await one.room.operations.step({ step: "phase", phase: "passthrough" }, null, "test");
    expect((await one.room.claim(ticket as Ticket, null)).result).toBe("admitted");
    expect(drawOf(one).stage).toBe("cancelled");
    expect(drawWarnings(one.room.draws)).toEqual([]);
  });

  test("whose record a recovery has put in the place of another is ordered by the one that counts", () => {
    const orders = new DrawnOrders("tickets");
    const draw: Draw = {
      id: 1,
      stage: "drawn",
      keyId: "k",
      commitment: "c",
      chain: quicknet,
      usesBeacon: false,
      first: 1,
      last: 50,
      gaps: [],
      closesMs: 1,
      seed: "aa",
      beacon: null,
    };
    const orderOf = (one: Draw) => orders.orderOf({ edition: 1 }, one);
    const before = orderOf(draw);
    expect(orderOf({ ...draw })).toBe(before);
    expect(orderOf({ ...draw, last: 60 }).entries).toBe(60);
    const other = orderOf({ ...draw, seed: "bb" });
    expect(other.positionOf(1)).not.toBe(before.positionOf(1));
  });

  test("of a room that goes by arrival is none", async () => {
    const world = createSharedWorld("arrival");
    const settings: RoomSettings = { ...settingsAt(null), draw: { order: "arrival", beacon: "none" } };
    const one = world.process("one", { isNewInstallation: true, settings, draws: source() });
    await one.refresh();
    await one.room.operations.step({ step: "phase", phase: "prequeue" }, null, "test");
    const tickets = await joinMany(one, 3, 0);
    expect(one.room.draws.current).toBeNull();
    await one.room.operations.step({ step: "phase", phase: "open" }, null, "test");
    await letIn(one, 1);
    expect((await one.room.claim(tickets[0] as Ticket, null)).result).toBe("admitted");
  });
});

describe("a receipt", () => {
  test("says the entry number and the commitment before the draw, and the place after it", async () => {
    const { world, one, two, both, opensAtMs, announced } = await inPrequeue("receipt");
    const [ticket] = await joinMany(one, 4, 0);
    if (ticket === undefined) throw new Error("no ticket");
    await world.pass(500, both);
    const early = readReceipt(two.room.draws.receiptFor(ticket) ?? "");
    const facts = { sub: ticket.sub, room: "tickets", draw: 1, entry: 1, commitment: announced.commitment };
    expect(early).toMatchObject({ receipt: facts });
    expect(early).not.toHaveProperty("receipt.position");
    await toOpening(world, opensAtMs, both);
    const late = await world.pass(5_000, both).then(() => joinOne(one, world.clock.now()));
    await world.pass(5_000, both);
    const drawn = readReceipt(one.room.draws.receiptFor(ticket) ?? "");
    expect(drawn).toMatchObject({ receipt: { ...facts, entries: 4, position: positionOf(one, ticket) } });
    expect(one.room.draws.receiptFor(late)).toBeNull();
  });
});
