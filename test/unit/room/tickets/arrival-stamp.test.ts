import fc from "fast-check";
import { expect, test } from "vitest";
import { joinSlotMs } from "../../../../src/room/replica/synced-room.ts";
import { createArrivalStamps, createKeyRing } from "../../../../src/room/tickets/ticket.ts";

const ring = createKeyRing([{ kid: "a", secret: Buffer.alloc(32, 1) }]);

test("a stamp is read by its own room only, and not when altered", () => {
  const stamps = createArrivalStamps(ring);
  const requests = Array.from({ length: 8 }, (_, index) => ({ hash: `abcd-_0${index}`, firstSeenMs: index * 1_000 }));
  const stamp = { room: "tickets", arrivedMs: 1_234_567, requests };
  const token = stamps.issue(stamp);
  expect(stamps.read("tickets", token)).toEqual(stamp);
  expect(stamps.read("checkout", token)).toBeUndefined();
  expect(stamps.read("tickets", `${token}x`)).toBeUndefined();
  expect(stamps.read("tickets", undefined)).toBeUndefined();
});

test("after an interruption the oldest arrivals join first, everyone within 15 seconds, and within 6.5 of a recovery of 5", () => {
  const times = fc.record({
    sinceMs: fc.integer({ min: 0, max: 1e9 }),
    lengthMs: fc.integer({ min: 1_000, max: 1e7 }),
    early: fc.double({ min: 0, max: 1, noNaN: true }),
    late: fc.double({ min: 0, max: 1, noNaN: true }),
    wasForeseen: fc.boolean(),
  });
  fc.assert(
    fc.property(times, ({ sinceMs, lengthMs, early, late, wasForeseen }) => {
      const interruption = { sinceMs, untilMs: sinceMs + lengthMs, wasForeseen };
      const graceMs = wasForeseen ? 1_500 : 5_000;
      const [first, second] = [Math.min(early, late), Math.max(early, late)].map((share) =>
        joinSlotMs(interruption, sinceMs + share * lengthMs),
      );
      expect(first).toBeLessThanOrEqual(second ?? 0);
      expect(first).toBeGreaterThanOrEqual(interruption.untilMs + graceMs);
      expect(second).toBeLessThanOrEqual(interruption.untilMs + graceMs + Math.min(10_000, lengthMs));
      // Whoever comes afterwards goes behind all of them.
      expect(joinSlotMs(interruption, interruption.untilMs + 3_000)).toBeGreaterThanOrEqual(second ?? 0);
    }),
  );
});
