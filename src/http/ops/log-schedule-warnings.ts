import type { Logger } from "../../lib/logger.ts";
import type { WaitingRooms } from "../../room/index.ts";
import { scheduleWarnings } from "../admin/schedule-warnings.ts";

/**
 * At start: a schedule that was added to the file of a room that is open already, say, does nothing. Rooms whose state
 * this process has not synced yet are left out.
 */
export function logScheduleWarnings(rooms: WaitingRooms, logger: Logger): void {
  for (const { id, state } of rooms.all) {
    const warnings = state === null ? [] : scheduleWarnings(state, state.settings.effective.schedule);
    for (const warning of warnings) logger.warn({ event: "config.warning", room: id }, warning);
  }
}
