import fc from "fast-check";
import { expect, it } from "vitest";
import { addAdvance, addTakenPlaces, expireAdvances, servedAt } from "../../../src/core/positions.ts";
import { advancesAreKnown } from "./advances-walk.ts";
import { createOpenRoom, startMs } from "./room-data.ts";

const minute = 60_000;

it("knows when each place was served, within the grain of its row, and counts each no-show once", () => {
  fc.assert(advancesAreKnown, { numRuns: 100 });
});

it("keeps open places that nobody took out of expiry", () => {
  const room = createOpenRoom({ claimWithinMs: minute });
  room.serving = 10;
  addAdvance(room);
  room.claimMs = startMs + 2 * minute;
  expireAdvances(room, 500);
  expect([room.expiredThrough, room.counts.noShows]).toEqual([0, 0]);
  room.queued = 3;
  addTakenPlaces(room, 0);
  expect(servedAt(room, 3)).toBe(room.claimMs);
});
