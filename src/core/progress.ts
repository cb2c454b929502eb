/**
 * How the line has moved lately: how fast it moves and people enter (buckets of ten seconds, eighteen of them); and places that were served, with how many of
 * their visitors have come (batches): by that an inlet knows how many to serve.
 */
import type { Progress } from "../store/contract/room-state.ts";
import { sizeOf } from "./ports/sets.ts";
import { isClaimPending, placesBetween } from "./positions.ts";
import { createProgress, type Room } from "./room.ts";
import type { ProgressBucket, ServeBatch } from "./rows.ts";

const bucketMs = 10_000;
const bucketsMax = 18;

function openBucket(room: Room): void {
  const bucket = Math.floor(room.claimMs / bucketMs);
  if (bucket === room.progressNow.bucket) return;
  const recent = room.progress.filter((past) => past.bucket > bucket - bucketsMax);
  if (room.progressNow.bucket > bucket - bucketsMax) recent.push(lastBucket(room));
  clearProgress(room);
  room.progress = recent;
  room.progressNow.bucket = bucket;
}

function lastBucket(room: Room): ProgressBucket {
  return {
    bucket: room.progressNow.bucket,
    spanMs: room.progressNow.spanMs,
    served: room.progressNow.served,
    entered: room.progressNow.entered,
    endedEarly: room.progressNow.endedEarly,
  };
}

/** Somebody waited for so long, and nothing held the line. */
export function recordWaiting(room: Room, elapsedMs: number): void {
  openBucket(room);
  room.progressNow.spanMs += elapsedMs;
}

export function recordServed(room: Room, places: number): void {
  openBucket(room);
  room.progressNow.served += places;
}

export function recordEntered(room: Room): void {
  openBucket(room);
  room.progressNow.entered++;
}

export function recordEndedEarly(room: Room, admissions: number): void {
  openBucket(room);
  room.progressNow.endedEarly += admissions;
}

export function clearProgress(room: Room): void {
  room.progress = [];
  Object.assign(room.progressNow, createProgress());
}

/** What was noted in the last three minutes of the claim clock. */
export function progressOf(room: Room): Progress {
  const first = Math.floor(room.claimMs / bucketMs) - bucketsMax + 1;
  const buckets = room.progress.filter((past) => past.bucket >= first);
  if (room.progressNow.bucket >= first) buckets.push(lastBucket(room));
  let spanMs = 0;
  let served = 0;
  let entered = 0;
  let endedEarly = 0;
  for (const bucket of buckets) {
    spanMs += bucket.spanMs;
    served += bucket.served;
    entered += bucket.entered;
    endedEarly += bucket.endedEarly;
  }
  return { spanMs, served, entered, endedEarly };
}

export function countOutflow(room: Room): void {
  const bucket = Math.floor(room.flowMs / bucketMs);
  const buckets = room.outflow;
  const last = buckets[buckets.length - 1];
  if (last !== undefined && last.bucket === bucket) last.count++;
  else buckets.push({ bucket, count: 1 });
  while (buckets.length > bucketsMax) buckets.shift();
  room.outflow = buckets;
}

/** Admissions per minute over the last three minutes of the flow clock, or since the room is that old. */
export function measuredOutflow(room: Room): number {
  const first = Math.floor(room.flowMs / bucketMs) - bucketsMax + 1;
  let admitted = 0;
  for (const entry of room.outflow) {
    if (entry.bucket >= first) admitted += entry.count;
  }
  const spanMs = Math.min(room.flowMs - room.bornMs, room.flowMs - first * bucketMs);
  return (admitted * 60_000) / Math.max(spanMs, bucketMs);
}

const maxBatches = 40;
/** Visitors near the front poll often. Those who are called from further back, or when a visitor leaves, do not. */
const quickShowMs = 5_000;
const longShowMs = 30_000;
/** Shows are expected in full up to here, then fading until a long show time is over. */
const fadeFromMs = 15_000;
const minShowRate = 0.02;
/** How many served places, each with a visitor who came, are assumed before there are measurements. */
const priorPlaces = 5;
/** Seconds of serving, and visitors who come, that the entering share covers. */
const shareMemory = 180;

/** Remembers that the places in (from, to] were served, by the inlet or by an operator, to see how many of them show up. */
export function addBatch(room: Room, from: number, to: number, by: "inlet" | "operator"): void {
  const batches = room.batches;
  const places = placesBetween(room.gaps, from, to);
  const isLong = by === "operator" || room.inletType === "max_active";
  const showMs = isLong ? longShowMs : quickShowMs;
  const last = batches[batches.length - 1];
  const second = Math.floor(room.flowMs / 1_000);
  if (last !== undefined && last.to === from && last.showMs === showMs && Math.floor(last.atMs / 1_000) === second) {
    last.to = to;
    last.places += places;
  } else batches.push({ atMs: room.flowMs, from, to, places, shown: 0, showMs });
  if (batches.length > maxBatches) batches.shift();
  room.batches = batches;
}

/** Counts a place as shown, once, when it claims within the show time, whether that is held or not. */
export function recordShow(room: Room, position: number): void {
  const batches = room.batches;
  let found: ServeBatch | null = null;
  for (const batch of batches) {
    if (position > batch.from && position <= batch.to) found = batch;
  }
  if (found === null || room.flowMs - found.atMs > found.showMs || isClaimPending(room, position)) return;
  found.shown++;
  room.batches = batches;
}

/** No claim is pending any more, and none is expected. */
export function clearBatches(room: Room): void {
  room.batches = [];
  room.pull.standing = 0;
}

/** Lets batches older than their show time into the smoothed show rate and the entering share. */
export function settleBatches(room: Room): void {
  const left: ServeBatch[] = [];
  let called = 0;
  for (const batch of room.batches) {
    if (room.flowMs - batch.atMs < batch.showMs) left.push(batch);
    else {
      // About the last ten batches count, and never fewer than fifty places.
      const keep = 1 - batch.places / Math.max(50, 10 * batch.places);
      room.pull.shown = room.pull.shown * keep + Math.min(batch.shown, batch.places);
      room.pull.served = room.pull.served * keep + batch.places;
      called += batch.places;
    }
  }
  if (left.length < room.batches.length) room.batches = left;
  weighEntering(room, called);
}

/**
 * A visitor whose claim is pending has come, and so has one who entered; but those of batches that are not settled count with their batch.
 * So each place counts once, whenever its visitor comes. Where no places are served, as while those come in whom an
 * operator has called, nothing fades.
 */
function weighEntering(room: Room, called: number): void {
  let standing = sizeOf(room.pendingClaims);
  for (const batch of room.batches) standing -= batch.shown;
  const keep = 1 - Math.min(1, called * enteringShare(room)) / shareMemory;
  room.pull.called = room.pull.called * keep + called;
  const came = room.pull.came * keep + standing - room.pull.standing;
  room.pull.came = Math.min(room.pull.called, Math.max(0, came));
  room.pull.standing = standing;
}

/** The share of served places whose visitors claim, however late. */
export function enteringShare(room: Room): number {
  return Math.min(1, Math.max(minShowRate, (room.pull.came + priorPlaces) / (room.pull.called + priorPlaces)));
}

export function showRate(room: Room): number {
  return Math.max(minShowRate, room.pull.shown / room.pull.served);
}

/** How many of the places served lately may still be expected to show up, where this share of them does. */
export function expectedShows(room: Room, rate: number): number {
  let shows = 0;
  for (const batch of room.batches) {
    const ageMs = room.flowMs - batch.atMs;
    if (ageMs < batch.showMs) {
      const share = ageMs <= fadeFromMs ? 1 : (batch.showMs - ageMs) / (batch.showMs - fadeFromMs);
      shows += Math.max(0, batch.places * rate - batch.shown) * share;
    }
  }
  return shows;
}

/** Visitors whose claims are held, and those who may be expected to. */
export function peopleAtDoor(room: Room): number {
  return sizeOf(room.pendingClaims) + expectedShows(room, enteringShare(room));
}

/** Places that may claim soon: an upper bound. */
export function pendingPlaces(room: Room): number {
  let pending = sizeOf(room.pendingClaims);
  for (const batch of room.batches) pending += Math.max(0, batch.places - batch.shown);
  return pending;
}
