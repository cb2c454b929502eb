import { setHold } from "../../core/holds.ts";
import type { RoomData } from "./data.ts";

/** What one process heard of the room's health URL. */
export function reportHealth(room: RoomData, isHealthy: boolean): void {
  const { gate } = room.settings.effective.inlet;
  if (gate === null) return;
  const { health } = room;
  health.reportedMs = room.flowMs;
  health.failures = isHealthy ? 0 : health.failures + 1;
  health.successes = isHealthy ? health.successes + 1 : 0;
  if (health.failures >= gate.unhealthyAfter) setHold(room, "unhealthy", true);
  if (health.successes >= gate.healthyAfter) setHold(room, "unhealthy", false);
}
