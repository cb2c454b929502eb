import type { RoomData, ServeBatch } from "./data.ts";
import { placesBetween } from "./gaps.ts";

const maxBatches = 40;
/** Shows are expected in full up to here, then fading until the show time is over (`max_active`). */
const fadeFromMs = 15_000;
const minRate = 0.02;

/** How long after being served a visitor counts as showing up. */
function showMs(room: RoomData): number {
  return room.settings.effective.inlet.type === "max_active" ? 30_000 : 5_000;
}

/** Remembers that the places in (from, to] were served, to see how many of them show up. */
export function addBatch(room: RoomData, from: number, to: number): void {
  const { batches } = room.pull;
  const places = placesBetween(room.gaps, from, to);
  const last = batches.at(-1);
  const isSameSecond = last !== undefined && Math.floor(last.atMs / 1_000) === Math.floor(room.flowMs / 1_000);
  if (isSameSecond && last.to === from) {
    last.to = to;
    last.places += places;
    return;
  }
  batches.push({ atMs: room.flowMs, from, to, places, shown: 0 });
  if (batches.length > maxBatches) batches.shift();
}

/** Counts a place as shown, once, when it claims or knocks within the show time. */
export function noteShow(room: RoomData, position: number, wasKnocking: boolean): void {
  if (wasKnocking) return;
  const batch = room.pull.batches.findLast((b) => position > b.from && position <= b.to);
  if (batch !== undefined && room.flowMs - batch.atMs <= showMs(room)) batch.shown++;
}

/** Lets batches older than the show time into the smoothed show rate. */
export function settleBatches(room: RoomData): void {
  const { pull } = room;
  for (;;) {
    const batch = pull.batches[0];
    if (batch === undefined || room.flowMs - batch.atMs < showMs(room)) return;
    // About the last ten batches count, and never fewer than fifty places.
    const keep = 1 - batch.places / Math.max(50, 10 * batch.places);
    pull.shown = pull.shown * keep + Math.min(batch.shown, batch.places);
    pull.served = pull.served * keep + batch.places;
    pull.batches.shift();
  }
}

export function showRate({ pull }: RoomData): number {
  return Math.max(minRate, pull.shown / pull.served);
}

/** How many of the places served lately may still be expected to show up. */
export function expectedShows(room: RoomData): number {
  const rate = showRate(room);
  const endMs = showMs(room);
  const share = ({ atMs }: ServeBatch) => {
    const ageMs = room.flowMs - atMs;
    if (ageMs >= endMs) return 0;
    return ageMs <= fadeFromMs ? 1 : (endMs - ageMs) / (endMs - fadeFromMs);
  };
  return room.pull.batches.reduce((sum, b) => sum + Math.max(0, b.places * rate - b.shown) * share(b), 0);
}

/** Places that may claim soon: an upper bound. */
export function pendingPlaces({ pull, knocks }: RoomData): number {
  return knocks.order.length + pull.batches.reduce((sum, b) => sum + Math.max(0, b.places - b.shown), 0);
}
