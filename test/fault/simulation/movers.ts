/** People who carry their place to another browser, and the old copies that they leave behind. */

import { numberOf, type Ticket } from "../../../src/room/tickets/ticket.ts";
import type { LinkClaim } from "../../../src/store/contract/room-store.ts";
import { tryTo, visitGate } from "./gate.ts";
import type { Surroundings, Visitor } from "./visitors.ts";

const validMs = 600_000;
const againMs = 2_000;
let links = 0;

/** So many of those who wait do so now. */
export async function movePlaces(sim: Surroundings, count: number): Promise<void> {
  let left = count;
  for (const visitor of [...sim.waiting]) {
    if (left-- <= 0) return;
    await carry(sim, visitor);
  }
}

async function carry(sim: Surroundings, visitor: Visitor): Promise<void> {
  const room = sim.world.pickGateway()?.room;
  const madeMs = room?.storeNowMs ?? null;
  const ticket = visitor.ticketToCarry;
  if (room === undefined || madeMs === null || ticket === null) return;
  const link = { id: `move-${links++}`, madeMs, expiresMs: madeMs + validMs };
  await press(sim, visitor, { ticket, link, to: room.visitorWithoutPlace().sub });
}

interface Carried {
  readonly ticket: Ticket;
  readonly link: LinkClaim;
  readonly to: string;
}

/** The button, again and again until there is an answer; meanwhile the person looks at neither browser. */
async function press(sim: Surroundings, visitor: Visitor, carried: Carried): Promise<void> {
  const { ticket, link, to } = carried;
  const room = sim.world.pickGateway()?.room;
  let isTheirs = false;
  const isAnswered = await tryTo(async () => {
    if (room === undefined) return;
    isTheirs = await room.moves.take(
      { ...link, ...ticket, number: numberOf(ticket), from: ticket.sub, cameBy: null },
      to,
    );
  });
  if (!isAnswered || room === undefined) {
    visitor.lookElsewhere();
    sim.queue.call(sim.time.nowMs + againMs, () => press(sim, visitor, carried));
    return;
  }
  visitor.goOnWith(isTheirs ? { ...ticket, sub: to } : ticket);
  if (isTheirs) sim.queue.call(sim.time.nowMs + sim.chance.between(0, 60_000), () => tryOldCopy(sim, ticket, 20));
}

/** Somebody opens the old browser again, so often. The place is the other's alone. */
async function tryOldCopy(sim: Surroundings, ticket: Ticket, times: number): Promise<void> {
  const room = sim.world.pickGateway()?.room;
  if (room !== undefined) {
    const arrivedMs = sim.time.wall.now();
    const answer = await visitGate({ room, ticket, login: null, arrivedMs, onPlaceOver: () => {} });
    const isIn = answer.kind === "entered" && answer.ticket.position === ticket.position;
    if (isIn) sim.rules.fail("an old copy of a place that was moved let somebody in", { ticket, answer });
    if (answer.kind === "notice" || answer.kind === "entered") return;
  }
  if (times > 1) sim.queue.call(sim.time.nowMs + 30_000, () => tryOldCopy(sim, ticket, times - 1));
}
