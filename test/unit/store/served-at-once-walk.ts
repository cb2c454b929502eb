import fc from "fast-check";
import { expect } from "vitest";
import { placesServedAtOnce } from "../../../src/core/inlet.ts";
import { addBatch, expectedShows, showRate } from "../../../src/core/progress.ts";
import { createOpenRoom } from "./room-data.ts";

const moments = fc.record({
  newcomers: fc.integer({ min: 1, max: 20 }),
  batches: fc.array(fc.record({ places: fc.integer({ min: 1, max: 9 }), ageMs: fc.integer({ min: 1, max: 9_000 }) }), {
    maxLength: 5,
  }),
  shown: fc.double({ min: 0.1, max: 5, noNaN: true }),
});

/** Newcomers of a room with places to spare, of which some were called before. */
export const newcomersAreServed = fc.property(moments, ({ newcomers, batches, shown }) => {
  const room = createOpenRoom({ type: "max_active", limit: null, maxActive: 1_000 });
  room.pull.shown = shown;
  let last = 0;
  for (const { places, ageMs } of batches) {
    addBatch(room, last, last + places, "inlet");
    last += places;
    room.flowMs += ageMs;
  }
  expect(placesServedAtOnce(room, newcomers), `${expectedShows(room, showRate(room))} expected`).toBe(newcomers);
});
