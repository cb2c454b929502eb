import { addAdvance } from "./advances.ts";
import { isHeld, outflowLimit } from "./clocks.ts";
import type { RoomData } from "./data.ts";
import { moveOver, placesBetween } from "./gaps.ts";

const showMs = 5_000;
const targetMs = 3_000;
const maxMarginMs = 6_000;
const marginUpMs = 600;
const marginDownMs = 6;
const minPresentRate = 0.05;
const maxBatches = 16;
const minShowRate = 0.02;
const beforeHoldEndsMs = 5_000;

/** Remembers that the places in (from, to] were served together, to see how many of them show up. */
export function addBatch(room: RoomData, from: number, to: number): void {
  const places = placesBetween(room.gaps, from, to);
  room.pull.batches.push({ atMs: room.flowMs, from, to, places, shown: 0 });
  if (room.pull.batches.length > maxBatches) room.pull.batches.shift();
}

/** Counts a place as shown, once, when it claims or knocks within 5 s of being served. */
export function noteShow(room: RoomData, position: number, wasKnocking: boolean): void {
  if (wasKnocking) return;
  const batch = room.pull.batches.findLast((b) => position > b.from && position <= b.to);
  if (batch !== undefined && room.flowMs - batch.atMs <= showMs) batch.shown++;
}

/** Lets batches older than 5 s of the flow clock into the smoothed show rate. */
function settleBatches(room: RoomData): void {
  const { pull } = room;
  for (;;) {
    const batch = pull.batches[0];
    if (batch === undefined || room.flowMs - batch.atMs < showMs) return;
    // About the last ten batches count, and never fewer than fifty places.
    const keep = 1 - batch.places / Math.max(50, 10 * batch.places);
    pull.shown = pull.shown * keep + Math.min(batch.shown, batch.places);
    pull.served = pull.served * keep + batch.places;
    pull.batches.shift();
  }
}

/**
 * The margin above the target: grows when nobody knocks though the limiter would admit, and shrinks slowly. Visitors who
 * take long to show up, and the luck of small numbers, would else leave outflow unused. One idle second in a hundred
 * keeps it where it is. Where hardly anybody shows up at all, it would only serve places in vain.
 */
function adaptMargin(room: RoomData, rate: number): void {
  const isIdle = room.knocks.order.length === 0 && room.limiter.tatMs <= room.flowMs;
  const isStarving = isIdle && rate >= minPresentRate;
  const marginMs = room.pull.marginMs + (isStarving ? marginUpMs : -marginDownMs);
  room.pull.marginMs = Math.min(maxMarginMs, Math.max(0, marginMs));
}

/**
 * The `periodic` inlet: serves just enough places to keep 3 s of outflow (at least one place), and the margin, knocking,
 * reckoning with the shows still expected of the places served in the last 5 s. At most once in a second of the flow clock.
 */
export function pull(room: RoomData): void {
  const second = Math.floor(room.flowMs / 1_000);
  const limit = outflowLimit(room);
  if (room.settings.effective.inlet.type !== "periodic" || limit === null || second <= room.pull.second) return;
  room.pull.second = second;
  settleBatches(room);
  if (room.phase !== "open" || (isHeld(room) && room.flowMs < room.holdUntilMs - beforeHoldEndsMs)) return;
  const waiting = placesBetween(room.gaps, room.serving, room.queued);
  if (limit <= 0 || waiting <= 0) return;

  const rate = Math.max(minShowRate, room.pull.shown / room.pull.served);
  adaptMargin(room, rate);
  const expected = room.pull.batches.reduce((sum, b) => sum + Math.max(0, b.places * rate - b.shown), 0);
  const target = Math.max(1, (limit * (targetMs + room.pull.marginMs)) / 60_000);
  const wanted = Math.floor((target - room.knocks.order.length - expected) / rate + 0.5);
  const places = Math.min(wanted, waiting);
  if (places <= 0) return;
  const from = room.serving;
  room.serving = moveOver(room.gaps, from, places);
  addAdvance(room);
  addBatch(room, from, room.serving);
}
