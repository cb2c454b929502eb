import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createBypassLinks } from "../../../../src/room/tickets/bypass-link.ts";
import { type CameBy, createMoveLinks } from "../../../../src/room/tickets/move-link.ts";
import { createKeyRing, createTicketCodec, createVisitorId, type Ticket } from "../../../../src/room/tickets/ticket.ts";
import { createSeededRandom } from "../../../support/seeded-random.ts";
import { webAddress } from "../../../support/web-address.ts";

const old = { kid: "old", secret: Buffer.alloc(32, 1) };
const fresh = { kid: "fresh", secret: Buffer.alloc(32, 2) };
const ring = createKeyRing([fresh, old]);
const random = createSeededRandom("move links");
const links = createMoveLinks(ring, random);
const nowMs = 1_800_000_000_000;
const ticket: Ticket = {
  room: "tickets",
  sub: createVisitorId("tickets", random),
  edition: 1_800_000_000,
  position: 12_345_678,
  joinedMs: nowMs - 60_000,
  requests: [],
  restarts: 0,
  claim: null,
};
const { room, sub: from, edition, position: number, joinedMs } = ticket;

describe("the link of a place", () => {
  test("says what it was made with, lasts ten minutes, and is made once", () => {
    const ways: CameBy[] = [null, { client: "site~of.*ours" }, { target: "https://shop.example/7?a=%C3%9F~b&c" }];
    for (const cameBy of ways) {
      const link = links.make(ticket, nowMs + 0.5, cameBy);
      const times = { madeMs: nowMs, expiresMs: nowMs + 600_000 };
      expect(link).toMatchObject({ room, from, edition, number, joinedMs, ...times, cameBy });
      expect(links.read("tickets", links.encode(link))).toEqual(link);
    }
    const ids = Array.from({ length: 1_000 }, () => links.make(ticket, nowMs, null).id);
    expect(new Set(ids).size).toBe(1_000);
  });

  test("goes into an address and a chat as it is, and is short enough for a camera", () => {
    fc.assert(
      fc.property(webAddress, (target) => {
        const token = links.encode(links.make(ticket, nowMs, { target }));
        expect(token).toMatch(/^[\w.-]+$/);
        expect(token.length).toBeLessThanOrEqual(650);
        expect(new URL(`https://queue.example/?place=${token}`).searchParams.get("place")).toBe(token);
        expect(links.read("tickets", token)?.from).toBe(from);
      }),
    );
    expect(links.encode(links.make(ticket, nowMs, { client: "site-tickets" })).length).toBeLessThan(200);
    // What would make it too long is left out: the room has a usual way, too.
    const longest = { target: `https://shop.example/${"x".repeat(2_048)}` };
    expect(links.make(ticket, nowMs, longest).cameBy).toBeNull();
  });

  test("is read by its own room only, by all processes that have the key, and not when altered or of another kind", () => {
    const token = links.encode(links.make(ticket, nowMs, null));
    expect(links.read("checkout", token)).toBeUndefined();
    const rotated = createMoveLinks(createKeyRing([old, fresh]), random);
    expect(rotated.read("tickets", token)).toBeDefined();
    const stranger = createMoveLinks(createKeyRing([old]), random);
    expect(stranger.read("tickets", token)).toBeUndefined();
    const [kid = "", payload = "", mac = ""] = token.split(".");
    const other = Buffer.from(payload, "base64url").toString().replace("tickets", "checkout");
    const tickets = createTicketCodec(ring);
    const bypass = createBypassLinks(ring, random);
    const wrong = [
      undefined,
      "",
      payload,
      `${token}x`,
      `${kid}.${Buffer.from(other).toString("base64url")}.${mac}`,
      `${kid}.${payload}A.${mac}`,
      tickets.encode(ticket),
      tickets.encode(ticket).slice(3),
      bypass.encode(bypass.make("tickets", nowMs, null)),
      `${token}${"x".repeat(1_024)}`,
    ];
    for (const each of wrong) expect(links.read("tickets", each), each?.slice(0, 100)).toBeUndefined();
    for (const each of [token, `w1.${token}`, `c1.${token}`]) {
      expect(tickets.decode("tickets", each)).toEqual({ kind: "none" });
    }
    expect(bypass.read("tickets", token)).toBeUndefined();
  });
});
