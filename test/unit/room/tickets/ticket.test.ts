import fc from "fast-check";
import { expect, test } from "vitest";
import { createKeyRing, createTicketCodec, type Ticket } from "../../../../src/room/tickets/ticket.ts";

const keyA = { kid: "key-a", secret: Buffer.alloc(32, 1) };
const keyB = { kid: "key-b", secret: Buffer.alloc(32, 2) };
const ring = createKeyRing([keyA]);
const codec = createTicketCodec(ring);

const number = fc.integer({ min: 0, max: 2 ** 45 });
const placeArbitrary: fc.Arbitrary<Ticket> = fc.record({
  room: fc.constant("tickets"),
  sub: fc.stringMatching(/^[A-Za-z0-9_-]{22}$/).map((random) => `tickets.${random}`),
  edition: number,
  position: number,
  joinedMs: number,
  restarts: fc.integer({ min: 0, max: 3 }),
  requests: fc.array(
    fc.record(
      {
        hash: fc.stringMatching(/^[A-Za-z0-9_-]{8}$/),
        firstSeenMs: fc.integer({ min: 0, max: 2 ** 31 }).map((sec) => sec * 1_000),
        series: fc.stringMatching(/^[A-Za-z0-9_-]{2}$/),
      },
      { requiredKeys: ["hash", "firstSeenMs"] },
    ),
    { maxLength: 8 },
  ),
  claim: fc.option(
    fc.record({
      admittedMs: number,
      expiresMs: number,
      via: fc.constantFrom("queue" as const, "passthrough" as const, "idle" as const, "ended" as const),
    }),
  ),
});

const deviceArbitrary = fc.record({ device: fc.stringMatching(/^[A-Za-z0-9_-]{43}$/) }, { requiredKeys: [] });
const ticketArbitrary = fc.tuple(placeArbitrary, deviceArbitrary).map(([place, device]) => ({ ...place, ...device }));

const ticket: Ticket = {
  room: "tickets",
  sub: "tickets.AAAAAAAAAAAAAAAAAAAAAA",
  edition: 3,
  position: 17,
  joinedMs: 1_800_000_000_000,
  restarts: 1,
  requests: [{ hash: "abcd_-12", firstSeenMs: 1_800_000_001_000 }],
  claim: null,
};

test("any ticket is read as it was written, fits a cookie, and needs no encoding there", () => {
  fc.assert(
    fc.property(ticketArbitrary, (written) => {
      const token = codec.encode(written);
      expect(token).toMatch(/^[A-Za-z0-9._~!*-]+$/);
      expect(token.length).toBeLessThan(400);
      expect(codec.decode("tickets", token)).toEqual({ kind: "ticket", ticket: written });
    }),
  );
});

test("a ticket that was altered in any one character is worth nothing and says nothing", () => {
  const token = codec.encode(ticket);
  for (let index = 0; index < token.length; index++) {
    const other = token[index] === "x" ? "y" : "x";
    const altered = token.slice(0, index) + other + token.slice(index + 1);
    const { kind } = codec.decode("tickets", altered);
    // Only in the key id may an altered character look like a key of another process.
    expect(kind).toBe(index >= 3 && index < 8 ? "unknown_key" : "none");
  }
});

test("a ticket of another room is worth nothing here", () => {
  expect(codec.decode("checkout", codec.encode(ticket))).toEqual({ kind: "none" });
});

test("a waiting ticket does not pass for a claimed one, nor the other way round", () => {
  const waiting = codec.encode(ticket);
  const claimed = codec.encode({ ...ticket, claim: { admittedMs: 1, expiresMs: 2, via: "queue" } });
  expect(codec.decode("tickets", `c1${waiting.slice(2)}`)).toEqual({ kind: "none" });
  expect(codec.decode("tickets", `w1${claimed.slice(2)}`)).toEqual({ kind: "none" });
});

test("after a rotation old tickets are still read, and new ones say which key they are signed with", () => {
  const rotated = createTicketCodec(createKeyRing([keyB, keyA]));
  expect(rotated.decode("tickets", codec.encode(ticket))).toEqual({ kind: "ticket", ticket });
  expect(codec.decode("tickets", rotated.encode(ticket))).toEqual({ kind: "unknown_key" });
});

test("a ring goes by other keys from the moment that it is given them", () => {
  const ring = createKeyRing([keyA]);
  const following = createTicketCodec(ring);
  const token = following.encode(ticket);
  ring.replace([keyB, keyA]);
  expect([ring.signingKid, ring.kids]).toEqual([keyB.kid, [keyB.kid, keyA.kid]]);
  expect(following.decode("tickets", token)).toEqual({ kind: "ticket", ticket });
  expect(codec.decode("tickets", following.encode(ticket))).toEqual({ kind: "unknown_key" });
  ring.replace([keyB]);
  expect(following.decode("tickets", token)).toEqual({ kind: "unknown_key" });
});

test("rubbish of any kind is no ticket, and never an error", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 2_000 }), (text) => {
      expect(codec.decode("tickets", text).kind).toBe("none");
    }),
  );
  expect(codec.decode("tickets", undefined)).toEqual({ kind: "none" });
});

test("a ticket of another line of the same room, by the same key, is worth nothing, waiting or claimed", () => {
  const claimed = { ...ticket, claim: { admittedMs: 1, expiresMs: 2, via: "queue" as const } };
  const lines = [codec, createTicketCodec(ring, "0a1b2c3d"), createTicketCodec(ring, "ffffffff")];
  for (const own of lines) {
    for (const each of [ticket, claimed]) {
      expect(own.decode("tickets", own.encode(each))).toEqual({ kind: "ticket", ticket: each });
      for (const other of lines)
        if (other !== own) expect(other.decode("tickets", own.encode(each))).toEqual({ kind: "none" });
    }
  }
});
