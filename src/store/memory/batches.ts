import { placesBetween } from "../../core/gaps.ts";
import type { RoomData, ServeBatch } from "./data.ts";

const maxBatches = 40;
/** Who is near the front asks often, who is called from further back, or for when there is room, does not. */
const showMs = 5_000;
const longShowMs = 30_000;
/** Shows are expected in full up to here, then fading until a long show time is over. */
const fadeFromMs = 15_000;
const minRate = 0.02;
/** Places that are taken to have been served, each with a visitor who came, before anything was measured. */
const priorPlaces = 5;
/** Seconds of serving, and visitors who come, that the entering share covers. */
const shareMemory = 180;

/** Remembers that the places in (from, to] were served, by the inlet or by an operator, to see how many of them show up. */
export function addBatch(room: RoomData, from: number, to: number, by: "inlet" | "operator"): void {
  const { batches } = room.pull;
  const places = placesBetween(room.gaps, from, to);
  const isLong = by === "operator" || room.settings.effective.inlet.type === "max_active";
  const batch = { atMs: room.flowMs, from, to, places, shown: 0, showMs: isLong ? longShowMs : showMs };
  const last = batches.at(-1);
  const isSameSecond = last !== undefined && Math.floor(last.atMs / 1_000) === Math.floor(room.flowMs / 1_000);
  if (isSameSecond && last.to === from && last.showMs === batch.showMs) {
    last.to = to;
    last.places += places;
    return;
  }
  batches.push(batch);
  if (batches.length > maxBatches) batches.shift();
}

/** Counts a place as shown, once, when it claims or knocks within the show time. */
export function noteShow(room: RoomData, position: number, wasKnocking: boolean): void {
  if (wasKnocking) return;
  const batch = room.pull.batches.findLast((b) => position > b.from && position <= b.to);
  if (batch !== undefined && room.flowMs - batch.atMs <= batch.showMs) batch.shown++;
}

/** Whoever enters has come to the door. */
export function noteCame(room: RoomData): void {
  room.pull.came++;
}

/** Nobody is at the door any more, and nobody expected there. */
export function clearBatches({ pull }: RoomData): void {
  pull.batches = [];
  pull.standing = 0;
}

/** Lets batches older than their show time into the smoothed show rate and the entering share. */
export function settleBatches(room: RoomData): void {
  const { pull } = room;
  const isOver = ({ atMs, showMs }: ServeBatch) => room.flowMs - atMs >= showMs;
  const settled = pull.batches.filter(isOver);
  pull.batches = pull.batches.filter((batch) => !isOver(batch));
  let called = 0;
  for (const { places, shown } of settled) {
    // About the last ten batches count, and never fewer than fifty places.
    const keep = 1 - places / Math.max(50, 10 * places);
    pull.shown = pull.shown * keep + Math.min(shown, places);
    pull.served = pull.served * keep + places;
    called += places;
  }
  weighEntering(room, called);
}

/**
 * Who stands at the door has come, and so has who entered; but those of batches that are not settled count with their batch.
 * So each place counts once, whenever its visitor comes. Where no places are served, as while those come in whom an
 * operator has called, nothing fades.
 */
function weighEntering(room: RoomData, called: number): void {
  const { pull, knocks } = room;
  const standing = knocks.order.length - pull.batches.reduce((sum, { shown }) => sum + shown, 0);
  const keep = 1 - Math.min(1, called * enteringShare(room)) / shareMemory;
  pull.called = pull.called * keep + called;
  pull.came = Math.min(pull.called, Math.max(0, pull.came * keep + standing - pull.standing));
  pull.standing = standing;
}

/** The share of served places whose visitors come to the door, however late. */
export function enteringShare({ pull }: RoomData): number {
  return Math.min(1, Math.max(minRate, (pull.came + priorPlaces) / (pull.called + priorPlaces)));
}

export function showRate({ pull }: RoomData): number {
  return Math.max(minRate, pull.shown / pull.served);
}

/** How many of the places served lately may still be expected to show up, where this share of them does. */
export function expectedShows(room: RoomData, rate: number): number {
  const share = ({ atMs, showMs }: ServeBatch) => {
    const ageMs = room.flowMs - atMs;
    if (ageMs >= showMs) return 0;
    return ageMs <= fadeFromMs ? 1 : (showMs - ageMs) / (showMs - fadeFromMs);
  };
  return room.pull.batches.reduce((sum, b) => sum + Math.max(0, b.places * rate - b.shown) * share(b), 0);
}

/** Visitors who knock, and those who may be expected to. */
export function peopleAtDoor(room: RoomData): number {
  return room.knocks.order.length + expectedShows(room, enteringShare(room));
}

/** Places that may claim soon: an upper bound. */
export function pendingPlaces({ pull, knocks }: RoomData): number {
  return knocks.order.length + pull.batches.reduce((sum, b) => sum + Math.max(0, b.places - b.shown), 0);
}
