import { expect, test } from "vitest";
import { sentenceOf } from "../../../src/operate/admin-api/visitors/finding-json.ts";
import { verifyDraw } from "../../../src/room/draw-recipe/index.ts";
import { lookUpVisitor } from "../../../src/room/lookup/look-up.ts";
import type { Ticket } from "../../../src/room/tickets/ticket.ts";
import { drawOf, inPrequeue, letIn, positionOf, source, stateOf, toOpening } from "./draw-world.ts";
import type { Process } from "./processes.ts";

async function joinFrom(process: Process, address: string | null): Promise<Ticket> {
  const joined = await process.room.join(null, 0, () => address);
  if (joined.result !== "joined") throw new Error(`no place: ${JSON.stringify(joined)}`);
  return joined.ticket;
}

const honest = Array.from({ length: 12 }, (_, index) => `198.51.${index}.7`);
const crowd = Array.from({ length: 12 }, (_, index) => `203.0.113.${index + 1}`);

/** Honest visitors and a crowd of one network, by turns and by both processes. */
async function withCrowd(seed: string) {
  const play = await inPrequeue(seed);
  const entries: { ticket: Ticket; isOfCrowd: boolean }[] = [];
  for (const [index, address] of honest.entries()) {
    const process = play.both[index % 2] as Process;
    entries.push({ ticket: await joinFrom(process, address), isOfCrowd: false });
    entries.push({ ticket: await joinFrom(process, crowd[index] ?? ""), isOfCrowd: true });
  }
  await play.world.pass(1_000, play.both);
  const draw = await play.one.room.voids.taking();
  return { ...play, entries, draw };
}

test("counts entries by address and by network, those with the most first, and knows no address", async () => {
  const { one, two, draw } = await withCrowd("counts");
  await joinFrom(one, "203.0.113.1");
  await joinFrom(one, "2001:db8:1:2::/64");
  await joinFrom(two, null);
  await one.refresh();
  const counts = await one.room.voids.counts(draw, 3);
  expect(counts).toMatchObject({ entries: 27, withAddress: 26 });
  expect(counts.networks.map(({ entries }) => entries)).toEqual([13, 1, 1]);
  expect(counts.addresses.map(({ entries }) => entries)).toEqual([2, 1, 1]);
  const asked = two.room.voids.blocksOf(draw, "203.0.113.1");
  expect(asked).toEqual({ address: counts.addresses[0]?.block, network: counts.networks[0]?.block });
  expect(await two.room.voids.count(draw.id, [asked?.network ?? ""])).toBe(13);
  expect(two.room.voids.blocksOf(draw, "no address")).toBe(null);
});

test("a voided network takes no part, is told so, and the record, the receipts and both processes agree", async () => {
  const { world, one, two, both, entries, draw, opensAtMs } = await withCrowd("void");
  const network = one.room.voids.blocksOf(draw, "203.0.113.1")?.network ?? "";
  const reason = "One network, very many entries.";
  const asked = { draw: draw.id, blocks: [network], reason };
  const [first, again] = await Promise.all([
    one.room.voids.void(asked, "request-1", "key"),
    two.room.voids.void(asked, "request-1", "key"),
  ]);
  expect(again.reference).toBe(first.reference);
  expect(first.reference).toMatch(/^[B-DF-HJ-NP-TV-XZ]{8}$/);
  await expect(two.room.voids.void({ ...asked, reason: "Other." }, "request-1", "key")).rejects.toMatchObject({
    code: "idempotency_key_reused",
  });
  await world.pass(500, both);

  for (const { ticket, isOfCrowd } of entries) {
    expect(stateOf(two, ticket)).toBe(isOfCrowd ? "expired" : "entered");
    expect(two.room.describe(ticket)?.voided?.reference).toBe(isOfCrowd ? first.reference : undefined);
  }
  const [, ofCrowd] = entries;
  const ticket = ofCrowd?.ticket as Ticket;
  const found = await lookUpVisitor(two.room, { by: "ticket", ticket });
  if (found === null || found === "ambiguous") throw new Error("not found");
  expect(found).toMatchObject({ state: "expired", reason: { code: "entry_voided", because: reason } });
  expect(sentenceOf(found.reason)).toContain(`reference ${first.reference}: ${reason}`);
  expect(await two.room.join(null, 0, () => "203.0.113.200")).toMatchObject({ result: "voided", void: { reason } });
  expect(await two.room.join(null, 0, () => "203.0.112.200")).toMatchObject({ result: "joined" });
  await toOpening(world, opensAtMs, both);
  await world.pass(9_000, both);
  expect(drawOf(two)).toMatchObject({ stage: "drawn", first: 1, last: 25 });
  await expect(one.room.voids.restore(first.reference, "key")).rejects.toMatchObject({ code: "conflict" });
  await expect(one.room.voids.taking()).rejects.toMatchObject({ code: "conflict" });

  const honestPlaces = entries.filter(({ isOfCrowd }) => !isOfCrowd).map(({ ticket }) => positionOf(one, ticket));
  expect(Math.max(...honestPlaces)).toBeLessThanOrEqual(13);
  const document = one.room.draws.document();
  if (document === null) throw new Error("nothing is published");
  expect(document.draws[0]).toEqual(two.room.draws.document()?.draws[0]);
  expect(document.draws[0]).toMatchObject({ entries: 13, voids: [{ reference: first.reference, reason }] });
  const receipts = entries.map(({ ticket }) => one.room.draws.receiptFor(ticket) ?? "");
  const { checks, places, isGenuine } = verifyDraw(document, receipts, { verifyRound: () => true });
  expect(checks.filter(({ status }) => status === "failed")).toEqual([]);
  expect(isGenuine).toBe(true);
  expect(checks.find(({ name }) => name === "voids")?.text).toContain(reason);
  expect(checks.filter(({ name, status }) => name === "receipt" && status === "warning")).toHaveLength(12);
  expect(places.map(({ position }) => position)).toEqual(
    entries.map(({ ticket, isOfCrowd }) => (isOfCrowd ? null : positionOf(one, ticket))),
  );

  await letIn(one, 13);
  await world.pass(500, both);
  const claims = await Promise.all(entries.map(({ ticket }) => two.room.claim(two.room.place(ticket), null)));
  expect(claims.map(({ result }) => result)).toEqual(
    entries.map(({ isOfCrowd }) => (isOfCrowd ? "voided" : "admitted")),
  );
  expect(await one.room.join(null, 0, () => "203.0.113.9")).toMatchObject({ result: "joined" });
});

test("a join that this process believes to be free is refused by the store, and the others of its batch join", async () => {
  const { one, two, draw } = await withCrowd("batch");
  const network = one.room.voids.blocksOf(draw, "203.0.113.1")?.network ?? "";
  await one.room.voids.void({ draw: draw.id, blocks: [network], reason: "Many." }, null, "key");
  const joined = await Promise.all(
    ["198.51.100.1", "203.0.113.50", "198.51.100.2"].map((address) => two.room.join(null, 0, () => address)),
  );
  expect(joined.map(({ result }) => result)).toEqual(["joined", "voided", "joined"]);
});

test("voids, and that one was given back, outlive the store and a process", async () => {
  const { world, one, two, both, entries, draw } = await withCrowd("loss");
  const blocksOf = (address: string) => one.room.voids.blocksOf(draw, address) ?? { address: "", network: "" };
  const kept = { draw: draw.id, blocks: [blocksOf("203.0.113.1").network], reason: "Many." };
  const { reference } = await one.room.voids.void(kept, null, "key");
  const mistake = { draw: draw.id, blocks: [blocksOf(honest[0] ?? "").address], reason: "By mistake." };
  const taken = await one.room.voids.void(mistake, null, "key");
  await one.room.voids.restore(taken.reference, "key");
  world.wipe();
  const fresh = world.process("one", { settings: one.room.settings, draws: source() });
  await world.pass(4_000, [two, fresh]);
  expect(two.room.state?.voids).toMatchObject([
    { reference, restoredMs: 0 },
    { reference: taken.reference, restoredMs: expect.any(Number) },
  ]);
  for (const { ticket, isOfCrowd } of entries) expect(stateOf(two, ticket)).toBe(isOfCrowd ? "expired" : "entered");
  expect(await two.room.join(null, 0, () => "203.0.113.200")).toMatchObject({ result: "voided" });
  expect(await two.room.join(null, 0, () => honest[0] ?? "")).toMatchObject({ result: "joined" });
  // The hashes of the entries from before are lost.
  expect(await two.room.voids.count(draw.id, [blocksOf(honest[1] ?? "").address])).toBe(0);
  expect(both).toHaveLength(2);
});
