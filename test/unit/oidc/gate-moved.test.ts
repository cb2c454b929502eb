/** What the gate tells the old copy of a place that was moved, before its turn. The rest is in test/e2e/ways-in. */
import type { Context } from "koa";
import { expect, test } from "vitest";
import { createGateEntry } from "../../../src/oidc/gate-entry.ts";
import type { GateResponder } from "../../../src/oidc/gate-responder.ts";
import type { EntryRequest } from "../../../src/oidc/gate-visit.ts";
import { createVisitorCookies } from "../../../src/oidc/index.ts";
import { createArrivalStamps } from "../../../src/waiting-room/arrival-stamp.ts";
import { createKeyRing } from "../../../src/waiting-room/key-ring.ts";
import { createMoveLinks } from "../../../src/waiting-room/move-link.ts";
import type { Ticket } from "../../../src/waiting-room/ticket.ts";
import { createSeededRandom } from "../../support/seeded-random.ts";
import { createSharedWorld, joinOne, type Process } from "../waiting-room/processes.ts";

const ring = createKeyRing([{ kid: "a", secret: Buffer.alloc(32, 1) }]);
const links = createMoveLinks(ring, createSeededRandom("links"));

test("whose place was moved away and back is not told that it is gone by a process that cannot ask (rules 6 and 9)", async () => {
  const world = createSharedWorld("gate-moved");
  const [one, two] = [world.process("one", { isNewInstallation: true }), world.process("two")];
  await one.refresh();
  await two.refresh();
  const told: string[] = [];
  const responder: GateResponder = {
    parked: (_ctx, _room, { state }) => void told.push(state),
    notice: (_ctx, { code }) => void told.push(code),
  };
  const cookies = createVisitorCookies(true);
  const entry = createGateEntry({
    cookies,
    stamps: createArrivalStamps(ring),
    responder,
    clock: world.clock,
    joinAddressOf: () => null,
  });
  const request: EntryRequest = {
    hash: "a-login",
    address: "/authorize?",
    isFreshStart: false,
    rememberedMs: null,
    restartUri: "https://shop.example.com/",
  };

  async function see({ room }: Process, ticket: Ticket): Promise<void> {
    const headers = { cookie: `__Host-usher-tickets=${room.encode(ticket)}` };
    const ctx = { req: { headers }, get: () => "" } as unknown as Context;
    await entry.admit({ ctx, request, room, isFromOurPage: false, newTicket: null, isCookieUnreadable: false });
  }
  const carry = (from: Ticket, to: string) => one.room.moves.take(links.make(from, one.room.storeNowMs ?? 0, null), to);

  const laptop = await joinOne(one, world.clock.now());
  const phone = { ...laptop, sub: one.room.visitorWithoutPlace().sub };
  expect(await carry(laptop, phone.sub)).toBe(true);
  await two.refresh();
  await see(two, laptop);
  expect(await carry(phone, laptop.sub)).toBe(true);
  world.setAway(true);
  await see(two, laptop);
  world.setAway(false);
  await see(two, laptop);
  await see(two, phone);
  expect(told).toEqual(["moved", "store_away", "waiting", "moved"]);
});
