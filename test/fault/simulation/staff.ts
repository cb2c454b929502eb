/** Staff with bypass links. Each link is sent to two, who press its button until they are in, or hear that it is void. */

import type { Ticket } from "../../../src/room/tickets/ticket.ts";
import type { LinkClaim } from "../../../src/store/contract/room-store.ts";
import type { Surroundings } from "./visitors.ts";

const validMs = 180_000;
const againMs = 2_000;
let links = 0;

export async function sendLinks(sim: Surroundings, count: number): Promise<void> {
  const room = sim.world.pickGateway()?.room;
  const madeMs = room?.storeNowMs ?? null;
  if (room === undefined || madeMs === null) return;
  for (let index = 0; index < count; index++) {
    const link = { id: `link-${links++}`, madeMs, expiresMs: madeMs + validMs };
    for (const ticket of [room.visitorWithoutPlace(), room.visitorWithoutPlace()]) await press(sim, link, ticket);
  }
}

async function press(sim: Surroundings, link: LinkClaim, ticket: Ticket): Promise<void> {
  const result = await sim.world.pickGateway()?.room.claim(ticket, null, { bypass: link });
  switch (result?.result) {
    case "admitted":
    case "void":
      return;
    default: {
      const retryMs = result?.result === "held" ? result.retryMs : againMs;
      sim.queue.call(sim.time.nowMs + retryMs, () => press(sim, link, ticket));
    }
  }
}
