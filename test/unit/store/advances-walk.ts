import fc from "fast-check";
import { expect } from "vitest";
import {
  absentPlaces,
  addAdvance,
  addTakenPlaces,
  expireAdvances,
  servedAt,
  takeBackAdvances,
} from "../../../src/core/positions.ts";
import { createOpenRoom } from "./room-data.ts";

const minute = 60_000;

/** What happens to the counters, on a room without gaps. */
const event = fc.oneof(
  fc.record({ do: fc.constant("join" as const), count: fc.integer({ min: 1, max: 9 }) }),
  fc.record({ do: fc.constant("serve" as const), count: fc.integer({ min: 1, max: 9 }) }),
  fc.record({ do: fc.constant("back" as const), count: fc.integer({ min: 1, max: 9 }) }),
  fc.record({ do: fc.constant("wait" as const), count: fc.integer({ min: 0, max: 40 }) }),
);

/** Each place is known to be served when it was, and each no-show is counted once. */
export const advancesAreKnown = fc.property(fc.array(event, { maxLength: 60 }), (events) => {
  const room = createOpenRoom({ claimWithinMs: minute });
  /** When each place that was handed out was served last; absent while it waits. */
  const served = new Map<number, number>();
  const serveAll = () => {
    for (let p = 1; p <= Math.min(room.serving, room.queued); p++) {
      if (!served.has(p)) served.set(p, room.claimMs);
    }
  };
  for (const { do: what, count } of events) {
    if (what === "join") {
      const before = room.queued;
      room.queued += count;
      if (room.serving > before) addTakenPlaces(room, before);
    } else if (what === "serve") {
      room.serving += count;
      addAdvance(room);
    } else if (what === "back") {
      room.serving = Math.max(0, room.serving - count);
      takeBackAdvances(room);
      for (const p of [...served.keys()]) if (p > room.serving) served.delete(p);
    } else room.claimMs += count * 1_000;
    serveAll();
    expireAdvances(room, 500);

    for (const [position, atMs] of served) {
      if (position <= room.expiredThrough) {
        expect(room.claimMs - atMs, `place ${position} expired`).toBeGreaterThan(minute);
        continue;
      }
      const toldMs = servedAt(room, position);
      expect(toldMs).toBeGreaterThanOrEqual(atMs);
      expect(toldMs).toBeLessThan(atMs + 1_000);
    }
    const overdue = [...served.values()].filter((atMs) => room.claimMs - atMs > minute + 1_000).length;
    expect(room.counts.noShows).toBeGreaterThanOrEqual(overdue);
    expect(room.counts.noShows).toBe([...served.keys()].filter((p) => p <= room.expiredThrough).length);
    expect(absentPlaces(room)).toBeLessThanOrEqual(served.size - room.counts.noShows);
  }
});
