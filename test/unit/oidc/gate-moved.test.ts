/** What the gate tells the old copy of a place that was moved, before its turn. The rest is in test/e2e/ways-in. */
import { expect, test } from "vitest";
import { createMoveLinks } from "../../../src/room/tickets/move-link.ts";
import type { Ticket } from "../../../src/room/tickets/ticket.ts";
import { manualSettings } from "../../support/room-settings.ts";
import { createSeededRandom } from "../../support/seeded-random.ts";
import { createSharedWorld, joinOne } from "../room/processes.ts";
import { createGateVisits, gateKeys } from "./gate-visits.ts";

const links = createMoveLinks(gateKeys, createSeededRandom("links"));

test("whose place was moved away and back is not told that it is gone by a process that cannot ask (rules 6 and 9)", async () => {
  const world = createSharedWorld("gate-moved");
  const settings = { ...manualSettings, moves: "unlimited" as const };
  const [one, two] = [world.process("one", { isNewInstallation: true, settings }), world.process("two", { settings })];
  await one.refresh();
  await two.refresh();
  const visit = createGateVisits(world.clock);
  const carry = (from: Ticket, to: string) => one.room.moves.take(links.make(from, one.room.storeNowMs ?? 0, null), to);

  const laptop = await joinOne(one, world.clock.now());
  const phone = { ...laptop, sub: one.room.visitorWithoutPlace().sub };
  expect(await carry(laptop, phone.sub)).toBe(true);
  await two.refresh();
  expect(await visit(two, laptop)).toBe("moved");
  expect(await carry(phone, laptop.sub)).toBe(true);
  world.setAway(true);
  expect(await visit(two, laptop)).toBe("store_away");
  world.setAway(false);
  expect(await visit(two, laptop)).toBe("waiting");
  expect(await visit(two, phone)).toBe("moved");
});
