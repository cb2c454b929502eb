/** How fast the line moves and people enter: buckets of ten seconds, eighteen of them. */
import type { Progress } from "../store/contract/room-state.ts";
import { createProgress, type Room } from "./room.ts";
import type { ProgressBucket } from "./rows.ts";

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
