/** Goal: support is told how it stands with a visitor, and why, in every state that a place can be in, and nothing that nobody knows. */
import { describe, expect, test } from "vitest";
import { sentenceOf } from "../../../../src/operate/admin-api/visitors/finding-json.ts";
import type { Finding } from "../../../../src/room/lookup/finding.ts";
import { lookUpVisitor, type VisitorRef } from "../../../../src/room/lookup/look-up.ts";
import { createMoveLinks } from "../../../../src/room/tickets/move-link.ts";
import { createKeyRing, type Ticket, withoutPlace } from "../../../../src/room/tickets/ticket.ts";
import { claimedTicket } from "../../../../src/room/visitor/claims.ts";
import type { RoomSettings } from "../../../../src/store/contract/room-store.ts";
import { manualSettings } from "../../../support/room-settings.ts";
import { createSeededRandom } from "../../../support/seeded-random.ts";
import { inPrequeue, letIn, toOpening } from "../draw-world.ts";
import { createSharedWorld, joinMany, joinOne, type Process } from "../processes.ts";

async function open(settings: Partial<RoomSettings> = {}) {
  const world = createSharedWorld("look-up");
  const process = world.process("one", { settings: { ...manualSettings, ...settings }, isNewInstallation: true });
  await process.refresh();
  /** In steps that no clock of the store shortens. */
  async function pass(ms: number) {
    for (let left = ms; left > 0; left -= 4_000) {
      world.clock.advance(Math.min(left, 4_000));
      await process.refresh();
    }
  }
  return { world, process, room: process.room, pass };
}

async function found({ room }: Process, ref: VisitorRef): Promise<Finding> {
  const finding = await lookUpVisitor(room, ref);
  if (finding === null || finding === "ambiguous") throw new Error(`found: ${finding}`);
  return finding;
}
const byTicket = (process: Process, ticket: Ticket) => found(process, { by: "ticket", ticket });
const bySub = (process: Process, sub: string) => found(process, { by: "sub", sub });
const byNumber = (process: Process, number: number, by: "number" | "position" | "entry" = "number") =>
  found(process, { by, number });

const step = ({ room }: Process, what: Parameters<typeof room.operations.step>[0]) =>
  room.operations.step(what, null, "test");
const phase = (process: Process, to: "ended" | "idle" | "passthrough" | "prequeue" | "open") =>
  step(process, { step: "phase", phase: to });

/** A visitor who comes in, and their ticket after it. */
async function enter(process: Process, ticket: Ticket, login: string | null = null): Promise<Ticket> {
  const claimed = await process.room.claim(ticket, login);
  if (claimed.result !== "admitted") throw new Error(`not admitted: ${claimed.result}`);
  return claimedTicket(process.room, ticket, claimed.admission);
}

const withInlet = (inlet: Partial<RoomSettings["inlet"]>) => ({ inlet: { ...manualSettings.inlet, ...inlet } });
const iso = (ms: number) => new Date(ms).toISOString();

describe("a place that waits", () => {
  test("is told by ticket as on the visitor's own page, and by its number with what the ticket alone would say", async () => {
    const { process, room } = await open();
    const [, , third] = await joinMany(process, 3, 0);
    if (third === undefined) throw new Error("nobody joined");
    const finding = await byTicket(process, third);
    expect(finding).toMatchObject({
      state: "waiting",
      mayAlsoBe: ["left"],
      sub: third.sub,
      edition: room.state?.edition,
      reason: { code: "in_line", ahead: 2, lowSec: null, highSec: null },
      admission: null,
    });
    expect(finding.place).toEqual(room.describe(third));
    expect(sentenceOf(finding.reason)).toBe("in line: 2 people are ahead; how long that takes cannot be said now");
    expect(await byNumber(process, 3)).toMatchObject({ state: "waiting", sub: null, place: { ahead: 2 } });
    expect(await byNumber(process, 3, "position")).toMatchObject({ state: "waiting", mayAlsoBe: ["left"] });
  });

  test("has the page's own estimate where the line moves by itself", async () => {
    const { process, room, pass } = await open(withInlet({ type: "periodic", outflowPerMinute: 60 }));
    const tickets = await joinMany(process, 200, 0);
    await pass(1_000);
    const last = tickets.at(-1) as Ticket;
    const { reason, place } = await byTicket(process, last);
    const estimate = room.describe(last)?.estimate;
    expect(estimate).not.toBeNull();
    expect(reason).toMatchObject({ code: "in_line", lowSec: estimate?.low, highSec: estimate?.high });
    expect(sentenceOf(reason)).toMatch(
      new RegExp(`^in line: ${place?.ahead} people are ahead; about \\d+ .* min to go$`),
    );
  });

  test("is paused since a time and by someone, and held after its turn is given back, with the place kept", async () => {
    const { world, process, pass } = await open();
    const ticket = await joinOne(process, 0);
    await pass(60_000);
    const pausedMs = world.clock.now();
    await step(process, { step: "pause" });
    await pass(600_000);
    const { state, reason } = await byTicket(process, ticket);
    expect(state).toBe("waiting");
    if (reason.code !== "paused") throw new Error(reason.code);
    expect(reason.by).toBe("operator");
    expect(Math.abs((reason.sinceMs ?? 0) - pausedMs)).toBeLessThan(1_500);
    expect(sentenceOf(reason)).toBe(
      `paused by an operator, since ${iso(reason.sinceMs ?? 0)}; the place is kept and paused time does not count`,
    );
    await step(process, { step: "resume" });
    await step(process, { step: "alarm", isSet: true });
    await pass(1_000);
    expect((await byNumber(process, 1)).reason).toMatchObject({ code: "paused", by: "alarm" });
  });

  test("of a pause whose beginning no log has, no time is told", async () => {
    const { process, pass } = await open({ logRowsMax: 0 });
    const ticket = await joinOne(process, 0);
    await step(process, { step: "pause" });
    await pass(1_000);
    const { reason } = await byTicket(process, ticket);
    expect(reason).toEqual({ code: "paused", by: "operator", sinceMs: null });
    expect(sentenceOf(reason)).toMatch(/^paused by an operator; /);
  });

  test("waits for nothing more in a room that has ended, and for the opening in one that is idle", async () => {
    const { process } = await open();
    const ticket = await joinOne(process, 0);
    await phase(process, "ended");
    expect(await byTicket(process, ticket)).toMatchObject({ state: "waiting", reason: { code: "room_ended" } });
    await phase(process, "idle");
    expect((await byTicket(process, ticket)).reason).toEqual({ code: "not_open", opensAtMs: null });
  });
});

describe("a place whose turn it is", () => {
  test("is served, with the time for which the turn is kept", async () => {
    const { process, pass } = await open();
    const ticket = await joinOne(process, 0);
    await letIn(process, 1);
    await pass(60_000);
    const { state, reason } = await byTicket(process, ticket);
    expect(state).toBe("served");
    if (reason.code !== "turn") throw new Error(reason.code);
    expect(Math.abs((reason.reservedForSec ?? 0) - 840)).toBeLessThanOrEqual(1);
    expect(sentenceOf(reason)).toMatch(/in view enters by itself; the turn is kept for 14 min more$/);
    expect(await byNumber(process, 1)).toMatchObject({ state: "served", mayAlsoBe: ["expired", "left"] });
  });

  test("is held by the limit, for as long as it takes to let those in who are ready", async () => {
    const { process, pass } = await open(withInlet({ outflowPerMinute: 60 }));
    const tickets = await joinMany(process, 60, 0);
    await letIn(process, 60);
    await pass(1_000);
    const claims = await Promise.all(tickets.map((ticket) => process.room.claim(ticket, null)));
    await pass(500);
    const held = tickets.filter((_, index) => claims[index]?.result === "held");
    const { state, reason } = await byTicket(process, held.at(-1) as Ticket);
    expect(state).toBe("served");
    if (reason.code !== "held_by_limit") throw new Error(reason.code);
    expect(reason.limitPerMinute).toBe(60);
    expect(reason.ready).toBeGreaterThanOrEqual(held.length);
    expect(reason.waitSec).toBeGreaterThanOrEqual(held.length);
    expect(reason.waitSec).toBeLessThanOrEqual(62);
    expect(sentenceOf(reason)).toMatch(
      /held by the limit of 60 a minute, with \d+ ready to enter: up to about \d+ s to go/,
    );
  });

  test("is held by a full site", async () => {
    const { process, pass } = await open(withInlet({ type: "max_active", maxActive: 1 }));
    const [first, second] = await joinMany(process, 2, 0);
    await pass(1_000);
    await enter(process, first as Ticket);
    await letIn(process, 1);
    await pass(500);
    const { state, reason } = await byTicket(process, second as Ticket);
    expect(state).toBe("served");
    expect(reason).toMatchObject({ code: "held_by_capacity", live: 1, maxActive: 1 });
    expect(sentenceOf(reason)).toMatch(/the site is full: 1 of at most 1 are in/);
  });

  test("expires where it is not claimed, at a time that is told, and by the number alone it has only been passed", async () => {
    const { world, process, pass } = await open();
    const ticket = await joinOne(process, 0);
    await letIn(process, 1);
    await pass(500);
    const servedMs = world.clock.now();
    await pass(902_000);
    const { state, reason, history } = await byTicket(process, ticket);
    expect(state).toBe("expired");
    if (reason.code !== "claim_expired") throw new Error(reason.code);
    expect(Math.abs((reason.expiredAtMs ?? 0) - (servedMs + 900_000))).toBeLessThan(1_500);
    expect(sentenceOf(reason)).toBe(
      `the place expired at ${iso(reason.expiredAtMs ?? 0)}: it was not claimed within 15 min of its turn`,
    );
    expect(history.map(({ event }) => event)).toEqual(["joined", "served", "expired"]);
    expect(await byNumber(process, 1)).toMatchObject({
      state: "expired",
      mayAlsoBe: ["served", "left"],
      reason: { code: "passed_by" },
      history: [],
    });
    // Long after it no process remembers when.
    await pass(1_000_000);
    expect((await byTicket(process, ticket)).reason).toMatchObject({ code: "claim_expired", expiredAtMs: null });
  });
});

describe("a visitor who was admitted", () => {
  test("is found by ticket, sub and position alike, with the logins that are used", async () => {
    const { world, process, pass } = await open();
    const ticket = await joinOne(process, 0);
    await letIn(process, 1);
    await pass(1_000);
    const admittedMs = world.clock.now();
    const claimed = await enter(process, ticket, "login-1");
    await enter(process, claimed, "login-2");
    const expected = {
      state: "admitted",
      mayAlsoBe: [],
      sub: ticket.sub,
      place: { position: 1, state: "admitted" },
      admission: { sub: ticket.sub, via: "queue", admittedMs },
      reason: {
        code: "admitted",
        via: "queue",
        admittedAtMs: admittedMs,
        expiresAtMs: admittedMs + 1_200_000,
        logins: 2,
        loginsMax: 20,
      },
    };
    const findings = [
      // Also an older copy, from before the claim.
      await byTicket(process, ticket),
      await byTicket(process, claimed),
      await bySub(process, ticket.sub),
      await byNumber(process, 1),
    ];
    for (const finding of findings) expect(finding).toMatchObject(expected);
    const [{ reason } = { reason: { code: "left" as const } }] = findings;
    expect(sentenceOf(reason)).toBe(
      `admitted through the queue at ${iso(admittedMs)}; 2 of 20 logins used; the admission lasts until ${iso(admittedMs + 1_200_000)}`,
    );
  });

  test("has used all logins", async () => {
    const { process } = await open({ admission: { ...manualSettings.admission, loginsPerAdmission: 1 } });
    const ticket = await joinOne(process, 0);
    await letIn(process, 1);
    await enter(process, ticket, "login-1");
    const { state, reason } = await bySub(process, ticket.sub);
    expect([state, reason.code]).toEqual(["admitted", "logins_used_up"]);
    expect(sentenceOf(reason)).toMatch(/1 of 1 logins used, so the site gets no further one until/);
  });

  test.each([
    ["logout", "left", "the visitor logged out or left"],
    ["revoked", "expired", "an operator revoked it"],
    ["completed", "expired", "the site reported the visit as completed"],
    ["abandoned", "expired", "the site reported the visit as abandoned"],
  ] as const)("is over by %s: %s", async (end, state, words) => {
    const { process } = await open();
    const ticket = await joinOne(process, 0);
    await letIn(process, 1);
    await enter(process, ticket);
    await process.room.admissions.end(ticket.sub, end);
    const finding = await byTicket(process, ticket);
    expect(finding).toMatchObject({ state, reason: { code: "admission_ended", end }, admission: { ended: end } });
    expect(sentenceOf(finding.reason)).toContain(`the admission is over: ${words}`);
    expect(finding.history.at(-1)).toEqual({ event: "ended", atMs: null, isExact: true, detail: end });
    // The same visitor may have come back since, with a place that only their browser has.
    expect((await bySub(process, ticket.sub)).mayAlsoBe).toContain("waiting");
  });

  test("is over by time, and is found in the log by its position when no process remembers whose it was", async () => {
    const { world, process, pass } = await open();
    const ticket = await joinOne(process, 0);
    await letIn(process, 1);
    await pass(500);
    const admittedMs = world.clock.now();
    const claimed = await enter(process, ticket);
    await pass(1_201_000);
    const expiresMs = admittedMs + 1_200_000;
    const finding = await byTicket(process, claimed);
    expect(finding).toMatchObject({ state: "expired", reason: { code: "admission_ended", end: "expired" } });
    expect(sentenceOf(finding.reason)).toMatch(
      new RegExp(`; the admission is over: its time was over at ${iso(expiresMs).slice(0, 19)}`),
    );
    await pass(1_800_000);
    expect(process.room.replica.admissionAt(ticket.edition, 1)).toBeUndefined();
    expect(await byNumber(process, 1)).toMatchObject({
      state: "expired",
      mayAlsoBe: ["left"],
      sub: null,
      reason: { code: "admission_ended", end: null, admittedAtMs: admittedMs, via: "queue" },
      history: [{ event: "admitted", atMs: admittedMs }],
    });
  });

  test("passed without a place where everybody does", async () => {
    const { process } = await open();
    await phase(process, "passthrough");
    const visitor = process.room.visitorWithoutPlace();
    expect(await byTicket(process, visitor)).toMatchObject({ state: "served", reason: { code: "everybody_passes" } });
    const waiting = { ...visitor, position: 0 };
    await enter(process, waiting);
    const { state, reason } = await bySub(process, visitor.sub);
    expect([state, reason]).toMatchObject(["admitted", { via: "passthrough" }]);
  });
});

describe("a place that is nobody's any more", () => {
  test("was left: the ticket of the browser says so, an older copy does not know it", async () => {
    const { process } = await open();
    const ticket = await joinOne(process, 0);
    await process.room.leave(ticket);
    expect(await byTicket(process, withoutPlace(ticket))).toMatchObject({ state: "left", reason: { code: "left" } });
    expect(await byTicket(process, ticket)).toMatchObject({ state: "waiting", mayAlsoBe: ["left"] });
  });

  test("was moved: the old ticket says when, and number and new holder lead to the place", async () => {
    const { world, process, room } = await open();
    const ticket = await joinOne(process, 0);
    const links = createMoveLinks(
      createKeyRing([{ kid: "key", secret: Buffer.alloc(32, 7) }]),
      createSeededRandom("moved"),
    );
    const { sub } = room.visitorWithoutPlace();
    expect(await room.moves.take(links.make(ticket, room.storeNowMs ?? 0, null), sub)).toBe(true);
    const movedAtMs = world.clock.now();
    expect(await byTicket(process, ticket)).toMatchObject({ state: "moved", reason: { code: "moved", movedAtMs } });
    expect(await byNumber(process, 1)).toMatchObject({ state: "waiting", sub });
    expect(await bySub(process, sub)).toMatchObject({ state: "waiting", place: { position: 1 } });
  });

  test("of another edition at the same position is not the one that was exchanged for the admission", async () => {
    const { process, room } = await open();
    const ticket = await joinOne(process, 0);
    await letIn(process, 1);
    await enter(process, ticket);
    await step(process, { step: "reset" });
    await joinOne(process, 0);
    const edition = room.state?.edition ?? 0;
    const next = { ...ticket, edition, claim: null };
    expect(room.describe(next)).toMatchObject({ state: "waiting" });
    expect(await byTicket(process, next)).toMatchObject({ state: "waiting", reason: { code: "in_line" } });
    expect(await byTicket(process, ticket)).toMatchObject({ state: "admitted", reason: { code: "admitted" } });
  });

  test("is of an edition that was reset, or of one that nobody knows", async () => {
    const { process } = await open();
    const ticket = await joinOne(process, 0);
    await step(process, { step: "reset" });
    const edition = ticket.edition + 1;
    const reset = { code: "reset", ticketEdition: ticket.edition, edition } as const;
    expect(await byTicket(process, ticket)).toMatchObject({ state: "expired", reason: reset });
    expect(sentenceOf(reset)).toContain("the room was reset since");
    const before = process.room.state;
    const newer = await byTicket(process, { ...ticket, edition: edition + 1 });
    expect(newer).toMatchObject({ state: "unknown", place: null, reason: { code: "beyond_known", edition } });
    expect(await byTicket(process, { ...ticket, edition, position: 99 })).toMatchObject({ state: "unknown" });
    // To be asked about a ticket that proves a loss begins no recovery.
    expect(process.room.state?.incarnation).toBe(before?.incarnation);
  });

  test("was never handed out, and a visitor of whom no row tells is unknown", async () => {
    const { process, room } = await open();
    await joinOne(process, 0);
    expect(await byNumber(process, 2)).toMatchObject({ state: "unknown", reason: { code: "not_handed_out", last: 1 } });
    expect(await byNumber(process, 1, "entry")).toMatchObject({ state: "unknown", reason: { code: "not_an_entry" } });
    const { sub } = room.visitorWithoutPlace();
    const nobody = await bySub(process, sub);
    expect(nobody).toMatchObject({ state: "unknown", sub, place: null, reason: { code: "no_admission" } });
    expect(await byTicket(process, room.visitorWithoutPlace())).toMatchObject({ reason: { code: "no_place" } });
  });
});

describe("where places are drawn", () => {
  test("a number is an entry until the draw; then it says nothing unless it is called entry or position", async () => {
    const { world, one, both, opensAtMs } = await inPrequeue("look-up");
    const tickets = await joinMany(one, 20, world.clock.now());
    const [first] = tickets as [Ticket, ...Ticket[]];
    expect(await byTicket(one, first)).toMatchObject({
      state: "entered",
      reason: { code: "draw_to_come", opensAtMs },
      place: { entry: 1 },
    });
    expect(await byNumber(one, 1)).toMatchObject({ state: "entered", place: { entry: 1 } });
    expect((await byNumber(one, 1, "position")).reason).toEqual({ code: "not_drawn" });

    await toOpening(world, opensAtMs, both);
    await world.pass(9_000, both);
    expect(await lookUpVisitor(one.room, { by: "number", number: 7 })).toBe("ambiguous");
    const seventh = one.room.place(tickets[6] as Ticket);
    const place = { entry: 7, position: seventh.position };
    expect(await byTicket(one, tickets[6] as Ticket)).toMatchObject({ state: "waiting", place });
    expect(await byNumber(one, 7, "entry")).toMatchObject({ state: "waiting", place });
    const byPosition = await byNumber(one, seventh.position, "position");
    expect(byPosition).toMatchObject({ state: "waiting", place: { position: seventh.position, entry: null } });

    await letIn(one, 20);
    await enter(one, seventh);
    expect(await byNumber(one, seventh.position, "position")).toMatchObject({
      state: "admitted",
      sub: seventh.sub,
      place,
    });
    expect(await byNumber(one, 7, "entry")).toMatchObject({ state: "admitted", sub: seventh.sub });
  });
});

describe("while the store cannot be asked", () => {
  test("nothing is known before the first answer", async () => {
    const world = createSharedWorld("look-up");
    const process = world.process("one", { isNewInstallation: true });
    world.setAway(true);
    expect(await lookUpVisitor(process.room, { by: "number", number: 1 })).toBeNull();
  });

  test("what was synced last is told, and that nobody enters", async () => {
    const { world, process, pass } = await open();
    const [inside, outside] = (await joinMany(process, 2, 0)) as [Ticket, Ticket];
    await letIn(process, 1);
    await enter(process, inside);
    await pass(500);
    world.setAway(true);
    world.clock.advance(30_000);
    expect(await bySub(process, inside.sub)).toMatchObject({ state: "admitted", reason: { code: "admitted" } });
    expect(await byNumber(process, 1)).toMatchObject({ state: "admitted", sub: inside.sub });
    const waits = await byTicket(process, outside);
    expect(waits).toMatchObject({ state: "waiting", reason: { code: "store_away" }, place: { ahead: 0 } });
    expect(sentenceOf(waits.reason)).toBe("the store is away, so nobody enters; the place is kept");
    expect(await bySub(process, outside.sub)).toMatchObject({ state: "unknown" });
  });

  test("a room that recovers keeps the place, and one with a limit holds it for a while after", async () => {
    const { world, process, pass } = await open(withInlet({ outflowPerMinute: 60 }));
    const ticket = await joinOne(process, 0);
    await letIn(process, 1);
    await pass(1_000);
    world.wipe();
    await process.refresh().catch(() => {});
    expect(await byTicket(process, ticket)).toMatchObject({ state: "served", reason: { code: "recovering" } });
    await pass(5_000);
    const { state, reason } = await byTicket(process, ticket);
    expect(state).toBe("served");
    if (reason.code !== "held_after_loss") throw new Error(reason.code);
    expect(reason.waitSec).toBeGreaterThan(50);
    expect(sentenceOf(reason)).toMatch(/^nobody is admitted for about \d+ s more/);
    // What no position was given for by then belongs to nobody.
    const [gap] = process.room.state?.gaps ?? [];
    if (gap === undefined) throw new Error("no gap");
    expect(await byNumber(process, gap.from)).toMatchObject({ reason: { code: "nobodys_place" } });
  });
});
