/** Visits to the gate of one process, without the HTTP around it. */
import type { Context } from "koa";
import type { Clock } from "../../../src/lib/clock-and-random.ts";
import { createGateEntry, createVisitorCookies, type EntryRequest } from "../../../src/oidc/index.ts";
import { createArrivalStamps, createKeyRing, type Ticket } from "../../../src/room/tickets/ticket.ts";
import type { Process } from "../room/processes.ts";
import { openRooms } from "./open-rooms.ts";

export const gateKeys = createKeyRing([{ kid: "a", secret: Buffer.alloc(32, 1) }]);

const request: EntryRequest = {
  hash: "a-login",
  login: "a-login",
  address: "/authorize?",
  isFreshStart: false,
  rememberedMs: null,
  restartUri: "https://shop.example.com/",
};

/** Answers how a visitor is answered who comes with this ticket: `admitted`, or the state or code of the page. */
export function createGateVisits(clock: Clock): (process: Process, ticket: Ticket) => Promise<string> {
  let shown = "";
  const issuer = "https://queue.example.com";
  const entry = createGateEntry({
    ...openRooms(issuer, clock, gateKeys),
    issuer,
    cookieBound: () => null,
    cookies: createVisitorCookies(true),
    stamps: createArrivalStamps(gateKeys),
    responder: {
      parked: (_ctx, _room, { state }) => {
        shown = state;
      },
      notice: (_ctx, { code }) => {
        shown = code;
      },
    },
    clock,
    join: (_ctx, joined, known, arrivedMs) => joined.join(known, arrivedMs),
    joinAddressOf: () => null,
  });
  return async ({ room }, ticket) => {
    const headers = { cookie: `__Host-usher-tickets=${room.encode(ticket)}` };
    const res = { getHeader: () => undefined, setHeader: () => undefined };
    const ctx = { req: { headers }, headers, res, get: () => "" } as unknown as Context;
    return (await entry.claim(ctx, room, request)) === null ? shown : "admitted";
  };
}
