/** What one process heard of the room's health URL: so many in a row set the hold `unhealthy`, and so many lift it. */
import { setHold } from "./holds.ts";
import type { Room } from "./room.ts";

export function reportHealth(room: Room, isHealthy: boolean): void {
  if (room.unhealthyAfter === null || room.healthyAfter === null) return;
  room.health.reportedMs = room.flowMs;
  room.health.failures = isHealthy ? 0 : room.health.failures + 1;
  room.health.successes = isHealthy ? room.health.successes + 1 : 0;
  if (room.health.failures >= room.unhealthyAfter) setHold(room, "unhealthy", true);
  if (room.health.successes >= room.healthyAfter) setHold(room, "unhealthy", false);
}
