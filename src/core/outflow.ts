/** The measured outflow: admissions per 10 s of the flow clock, eighteen of them. */
import type { Room } from "./room.ts";

const outflowBucketMs = 10_000;
const outflowBuckets = 18;

export function countOutflow(room: Room): void {
  const bucket = Math.floor(room.flowMs / outflowBucketMs);
  const buckets = room.outflow;
  const last = buckets[buckets.length - 1];
  if (last !== undefined && last.bucket === bucket) last.count++;
  else buckets.push({ bucket, count: 1 });
  while (buckets.length > outflowBuckets) buckets.shift();
  room.outflow = buckets;
}

/** Admissions per minute over the last three minutes of the flow clock, or since the room is that old. */
export function measuredOutflow(room: Room): number {
  const first = Math.floor(room.flowMs / outflowBucketMs) - outflowBuckets + 1;
  let admitted = 0;
  for (const entry of room.outflow) {
    if (entry.bucket >= first) admitted += entry.count;
  }
  const spanMs = Math.min(room.flowMs - room.bornMs, room.flowMs - first * outflowBucketMs);
  return (admitted * 60_000) / Math.max(spanMs, outflowBucketMs);
}
