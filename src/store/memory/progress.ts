import type { Progress } from "../contract/room-store.ts";
import type { ProgressBucket, RoomData } from "./data.ts";

const bucketMs = 10_000;
const buckets = 18;

function currentBucket(room: RoomData): ProgressBucket {
  const bucket = Math.floor(room.claimMs / bucketMs);
  let last = room.progress.at(-1);
  if (last?.bucket !== bucket) {
    last = { bucket, spanMs: 0, served: 0, entered: 0, endedEarly: 0 };
    room.progress.push(last);
    while ((room.progress[0]?.bucket ?? bucket) <= bucket - buckets) room.progress.shift();
  }
  return last;
}

/** Somebody waited for so long, and nothing held the line. */
export function noteWaiting(room: RoomData, elapsedMs: number): void {
  currentBucket(room).spanMs += elapsedMs;
}

export function noteServed(room: RoomData, places: number): void {
  currentBucket(room).served += places;
}

export function noteEntered(room: RoomData): void {
  currentBucket(room).entered++;
}

export function noteEndedEarly(room: RoomData, admissions: number): void {
  currentBucket(room).endedEarly += admissions;
}

/** What was noted in the last three minutes of the claim clock. */
export function progressOf(room: RoomData): Progress {
  const first = Math.floor(room.claimMs / bucketMs) - buckets + 1;
  const sum = { spanMs: 0, served: 0, entered: 0, endedEarly: 0 };
  for (const { bucket, spanMs, served, entered, endedEarly } of room.progress) {
    if (bucket < first) continue;
    sum.spanMs += spanMs;
    sum.served += served;
    sum.entered += entered;
    sum.endedEarly += endedEarly;
  }
  return sum;
}
