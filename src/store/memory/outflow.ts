import type { RoomData } from "./data.ts";

const bucketMs = 10_000;
const buckets = 18;

export function countOutflow(room: RoomData): void {
  const bucket = Math.floor(room.flowMs / bucketMs);
  const last = room.outflow.at(-1);
  if (last?.bucket === bucket) last.count++;
  else room.outflow.push({ bucket, count: 1 });
  while ((room.outflow[0]?.bucket ?? bucket) <= bucket - buckets) room.outflow.shift();
}

/** Admissions per minute over the last three minutes of the flow clock, or since the room is that old. */
export function measuredOutflow(room: RoomData): number {
  const first = Math.floor(room.flowMs / bucketMs) - buckets + 1;
  const admitted = room.outflow.reduce((sum, entry) => sum + (entry.bucket >= first ? entry.count : 0), 0);
  const spanMs = Math.min(room.flowMs - room.bornMs, room.flowMs - first * bucketMs);
  return (admitted * 60_000) / Math.max(spanMs, bucketMs);
}
