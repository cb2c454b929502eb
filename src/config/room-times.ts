/**
 * The times among a room's settings. A local time is of the zone that `schedule.time_zone` names, so none of them can be
 * read by itself. A room of the file and the body of a change by the admin API have the same shape.
 */
import { type Path, valueAt } from "./raw-document.ts";
import type { RoomFault } from "./room-rules.ts";
import { isTimeZone, readTime, unknownTimeZone } from "./times.ts";

/** Where each time stands in a room. */
export const TIME_PATHS = {
  prequeueAtMs: ["schedule", "prequeue_at"],
  opensAtMs: ["schedule", "opens_at"],
  endsAtMs: ["schedule", "ends_at"],
  inletStartsAtMs: ["inlet", "starts_at"],
  inletEndsAtMs: ["inlet", "ends_at"],
} as const satisfies Readonly<Record<string, Path>>;

export type TimeName = keyof typeof TIME_PATHS;
export const TIME_NAMES = Object.keys(TIME_PATHS) as TimeName[];

/** Milliseconds since 1970 in UTC; null where null is written; absent where nothing, or nothing that can be read. */
export type RoomTimes = { readonly [Name in TimeName]?: number | null };

const ZONE_PATH = ["schedule", "time_zone"];

/** Reads the times of a raw room. Faults have their path in the room. */
export function readRoomTimes(room: unknown): { times: RoomTimes; faults: RoomFault[] } {
  const zone = valueAt(room, ZONE_PATH) ?? null;
  const zoneFault = findZoneFault(zone);
  const times: { [Name in TimeName]?: number | null } = {};
  const faults: RoomFault[] = zoneFault === null ? [] : [{ path: ZONE_PATH, message: zoneFault }];
  for (const name of TIME_NAMES) {
    const path = TIME_PATHS[name];
    const value = valueAt(room, path);
    if (value === undefined) {
      continue;
    }
    // A zone that can't be read has its own fault, so its local times are read in another one, for theirs.
    const reading = value === null ? null : readTime(value, zoneFault === null ? (zone as string | null) : "UTC");
    if (reading !== null && "fault" in reading) {
      faults.push({ path, message: reading.fault });
    } else if (reading === null || zoneFault === null) {
      times[name] = reading?.ms ?? null;
    }
  }
  return { times, faults };
}

function findZoneFault(zone: unknown): string | null {
  if (zone === null) {
    return null;
  }
  if (typeof zone !== "string") {
    return "expected an IANA time zone such as Europe/Berlin";
  }
  return isTimeZone(zone) ? null : unknownTimeZone(zone);
}
