/**
 * The times among a room's settings. A local time is of the zone that `schedule.time_zone` names, so none of them can be
 * read by itself. A room of the file and the body of a change by the admin API have the same shape.
 */
import { type Path, valueAt } from "../resolve/raw-document.ts";
import { isLocalTime, isTimeZone, readTime, unknownTimeZone } from "../schema/times.ts";
import type { RoomFault } from "./faults.ts";

/** Where each time stands in a room. */
export const TIME_PATHS = {
  prequeueAtMs: ["schedule", "prequeue_at"],
  opensAtMs: ["schedule", "opens_at"],
  endsAtMs: ["schedule", "ends_at"],
  inletStartsAtMs: ["inlet", "starts_at"],
  inletEndsAtMs: ["inlet", "ends_at"],
} as const satisfies Readonly<Record<string, Path>>;

export type TimeName = keyof typeof TIME_PATHS;
const TIME_NAMES = Object.keys(TIME_PATHS) as TimeName[];

/** Milliseconds since 1970 in UTC; null where null is written; absent where nothing, or nothing that can be read. */
export type RoomTimes = { readonly [Name in TimeName]?: number | null };

const ZONE_PATH = ["schedule", "time_zone"];

export interface TimesReading {
  readonly times: RoomTimes;
  /** As it was written; null where null is written; absent where nothing, or no zone. */
  readonly timeZone?: string | null;
  /** With their path in the room. */
  readonly faults: RoomFault[];
}

/**
 * Reads the times of a raw room.
 *
 * @param zoneInForce of local times where the room itself names no zone; null for none.
 */
export function readRoomTimes(room: unknown, zoneInForce: string | null = null): TimesReading {
  const written = valueAt(room, ZONE_PATH);
  const zoneFault = findZoneFault(written ?? null);
  const timeZone = zoneFault === null ? (written as string | null | undefined) : undefined;
  const zone = zoneFault === null ? (timeZone ?? zoneInForce) : null;
  const times: { [Name in TimeName]?: number | null } = {};
  const localTimes: { [Name in TimeName]?: number | null } = {};
  const faults: RoomFault[] = zoneFault === null ? [] : [{ path: ZONE_PATH, message: zoneFault }];
  for (const name of TIME_NAMES) {
    const path = TIME_PATHS[name];
    const value = valueAt(room, path);
    if (value === undefined) {
      continue;
    }
    // A local time without a zone, or of one that can't be read, is read in another one: for its faults and its order.
    const isWithoutZone = zone === null && isLocalTime(value);
    const reading = value === null ? null : readTime(value, isWithoutZone ? "UTC" : zone);
    if (reading !== null && "fault" in reading) {
      faults.push({ path, message: reading.fault });
    } else if (isWithoutZone) {
      localTimes[name] = reading?.ms ?? null;
      faults.push(...(zoneFault === null ? [{ path, message: withoutZone(value) }] : []));
    } else {
      times[name] = reading?.ms ?? null;
    }
  }
  return {
    times,
    ...(timeZone !== undefined && { timeZone }),
    faults: merged([...faults, ...disorderOf(room, localTimes)]),
  };
}

/** Whether an inlet of this type has times of its own. */
export function hasInletTimes(type: unknown): boolean {
  return type === "periodic" || type === "adaptive";
}

/** Times without a zone, or of one that can't be read, are still in some order. */
function disorderOf(room: unknown, localTimes: RoomTimes): RoomFault[] {
  return [
    ...scheduleDisorder(localTimes),
    ...(hasInletTimes(valueAt(room, ["inlet", "type"])) ? inletDisorder(localTimes) : []),
  ];
}

/** One fault for each path. */
function merged(faults: readonly RoomFault[]): RoomFault[] {
  const byPath = new Map<string, RoomFault>();
  for (const { path, message } of faults) {
    const key = path.join(".");
    const known = byPath.get(key);
    byPath.set(key, { path, message: known === undefined ? message : `${known.message}; ${message}` });
  }
  return [...byPath.values()];
}

/** Times as far as they can be read. */
type TimeFacts = { readonly [Name in TimeName]?: number | null | undefined };

const SCHEDULE_NAMES = ["prequeueAtMs", "opensAtMs", "endsAtMs"] as const;
const INLET_NAMES = ["inletStartsAtMs", "inletEndsAtMs"] as const;

/** Times of the schedule that are not after the last one before them that is given. */
export function scheduleDisorder(times: TimeFacts, nameOf = pathOf): RoomFault[] {
  return disorder(times, SCHEDULE_NAMES, nameOf);
}

/** The same of the inlet's times. */
export function inletDisorder(times: TimeFacts, nameOf = pathOf): RoomFault[] {
  return disorder(times, INLET_NAMES, nameOf);
}

function pathOf(time: TimeName): string {
  return TIME_PATHS[time].join(".");
}

function disorder(times: TimeFacts, names: readonly TimeName[], nameOf: (time: TimeName) => string): RoomFault[] {
  const given = names.filter((name) => typeof times[name] === "number");
  return given.flatMap((name, index) => {
    const before = given[index - 1];
    const isInOrder = before === undefined || (times[before] ?? 0) < (times[name] ?? 0);
    return isInOrder ? [] : [{ path: TIME_PATHS[name], message: `expected a time after ${nameOf(before)}` }];
  });
}

/** What is wrong with a local time that has no zone. */
function withoutZone(value: unknown): string {
  const reading = readTime(value, null);
  return "fault" in reading ? reading.fault : "";
}

function findZoneFault(zone: unknown): string | null {
  if (zone === null) {
    return null;
  }
  if (typeof zone !== "string") {
    return "expected the name of an IANA time zone, such as Europe/Berlin";
  }
  return isTimeZone(zone) ? null : unknownTimeZone(zone);
}
