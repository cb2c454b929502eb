/**
 * What must hold between a room's settings, and its times, of which none can be read by itself: a local time is of the zone that
 * `schedule.time_zone` names. The configuration file and the admin API keep the same rules: the file by its raw document, the
 * API by the settings that would be in force.
 */

import { formatPath, type Path, valueAt } from "../raw-document.ts";
import { ADAPTIVE_KEYS, settingAt } from "../schema/room-settings.ts";
import { formatDuration, isTimeZone, readTime, unknownTimeZone } from "../schema/times.ts";
import { at, type LocalFault } from "./faults.ts";

/** Where each time stands in a room. */
const TIME_PATHS = {
  prequeueAtMs: ["schedule", "prequeue_at"],
  opensAtMs: ["schedule", "opens_at"],
  endsAtMs: ["schedule", "ends_at"],
  inletStartsAtMs: ["inlet", "starts_at"],
  inletEndsAtMs: ["inlet", "ends_at"],
  nextSaleStartsAtMs: ["next_sale", "starts_at"],
} as const satisfies Readonly<Record<string, Path>>;

type TimeName = keyof typeof TIME_PATHS;
const TIME_NAMES = Object.keys(TIME_PATHS) as TimeName[];

/** Milliseconds since 1970 in UTC; null where null is written; absent where nothing, or nothing that can be read. */
export type RoomTimes = { readonly [Name in TimeName]?: number | null | undefined };

/**
 * What is wrong with the times of a room, and what it says against itself, with paths in the room.
 *
 * @param nameOf what a time that another one contradicts is called; default: its path
 */
export function contradictionsIn(room: unknown, nameOf?: (path: Path) => string): LocalFault[] {
  const { times, faults } = readRoomTimes(room);
  const disorder = timesOutOfOrder(times, factIn(room, "inlet", "type"), nameOf);
  return [...faults, ...contradictions(room, times), ...disorder];
}

/**
 * A setting as the schema reads it; null where it is not given and has no default; undefined where it can't be read: then it has
 * its own fault, and no rule is judged by it.
 */
function factIn(room: unknown, ...path: string[]): unknown {
  const written = valueAt(room, path) ?? undefined;
  const { data, success } = settingAt(path).safeParse(written);
  if (success) return data ?? null;
  return written === undefined ? null : undefined;
}

function* contradictions(room: unknown, times: RoomTimes): Generator<LocalFault> {
  const inInlet = (key: string) => factIn(room, "inlet", key);
  const isConfigured = (path: Path) => (valueAt(room, path) ?? null) !== null;
  const [type, outflow, maxActive] = [inInlet("type"), inInlet("outflow_per_minute"), inInlet("max_active")];
  const [weight, sharedOutflow] = [inInlet("weight"), inInlet("shared_outflow")];
  const [duration, maxDuration] = [factIn(room, "admission", "duration"), factIn(room, "admission", "max_duration")];
  const rate = (key: string) => valueAt(room, ["inlet", key]);
  const [floor, start] = [rate("floor_per_minute"), rate("start_per_minute")];
  const foreign = (ofType: string) => `only for type ${ofType}, not for ${type}`;
  const isOther = (...types: string[]) => typeof type === "string" && !types.includes(type);

  if (type === "periodic" && outflow === null && sharedOutflow === null)
    yield at(
      "inlet.outflow_per_minute",
      "required: an inlet of type periodic needs outflow_per_minute or shared_outflow",
    );
  if (type === "adaptive" && outflow === null)
    yield at(
      "inlet.outflow_per_minute",
      "required: an inlet of type adaptive needs it, the limit that its rate never exceeds",
    );
  if (type === "max_active" && maxActive === null)
    yield at("inlet.max_active", "required: an inlet of type max_active needs it, how many may be in at the same time");
  if (weight !== null && sharedOutflow === null)
    yield at("inlet.weight", "only with shared_outflow, whose shares it weighs: name one, or leave weight out");
  if (isOther("max_active") && isNumber(maxActive))
    yield at("inlet.max_active", `${foreign("max_active")}: leave it out, or change the type`);
  for (const key of ADAPTIVE_KEYS) {
    if (isOther("adaptive") && isConfigured(["inlet", key]))
      yield at(`inlet.${key}`, `${foreign("adaptive")}: leave it out, or change the type`);
  }
  for (const name of ["inletStartsAtMs", "inletEndsAtMs"] as const) {
    const message = `${foreign("periodic or adaptive")}; schedule opens and ends a room of any type: leave it out`;
    if (isOther("periodic", "adaptive") && isNumber(times[name])) yield { path: TIME_PATHS[name], message };
  }
  // floor ≤ start ≤ limit, as far as they are given.
  for (const key of ["floor_per_minute", "start_per_minute"]) {
    if (type === "adaptive" && isBelow(outflow, rate(key)))
      yield at(`inlet.${key}`, `expected at most outflow_per_minute (${outflow})`);
  }
  if (type === "adaptive" && isBelow(start, floor) && !isBelow(outflow, start))
    yield at("inlet.start_per_minute", `expected at least floor_per_minute (${floor})`);
  if (isConfigured(TIME_PATHS.prequeueAtMs) && !isConfigured(TIME_PATHS.opensAtMs))
    yield at(
      "schedule.opens_at",
      "required where prequeue_at is given: the time from which visitors of the prequeue may enter",
    );
  const [difficulty, hardest] = ["difficulty", "difficulty_max"].map((key) => factIn(room, "check", key));
  if (isConfigured(["check"]) && isNumber(difficulty) && isNumber(hardest) && hardest < difficulty)
    yield at("check.difficulty_max", `expected at least difficulty (${difficulty})`);
  if (valueAt(room, ["check", "type"]) === "challenge" && !isConfigured(["check", "challenge"]))
    yield at("check.challenge", "required: a check of type challenge names one of challenges");
  if (valueAt(room, ["check", "when"]) === "suspicious" && valueAt(room, ["joins_per_address"]) === "off")
    yield at("check.when", "suspicious goes by joins_per_address, which is off: set a limit there, or always here");
  const isBound = ["offered", "required"].includes(valueAt(room, ["device_binding"]) as string);
  if (isBound && ["once", "unlimited"].includes(valueAt(room, ["moves"]) as string))
    yield at("moves", "not with device_binding, by which a place stays in its browser: leave it out, or set never");
  // Only the file has these.
  const ofKeys = isConfigured(["identity"]) ? "identity" : valueAt(room, ["entry"]) === "invited" && "entry: invited";
  if (isBound && ofKeys)
    yield at("device_binding", `not with ${ofKeys}, where a place is a person's, in each browser: leave it out`);
  if (isNumber(duration) && isNumber(maxDuration) && maxDuration <= duration)
    yield at(
      "admission.max_duration",
      `expected more than duration (${formatDuration(duration)}), which each login and refresh extends an admission by`,
    );
}

function isBelow(rate: unknown, least: unknown): boolean {
  return isNumber(rate) && isNumber(least) && rate < least;
}

function isNumber(fact: unknown): fact is number {
  return typeof fact === "number";
}

const ZONE_PATH = ["schedule", "time_zone"];

/**
 * Reads the times of a raw room, and its zone: as it was written; null where null is written; absent where nothing, or no zone.
 *
 * @param zoneInForce of local times where the room itself names no zone; null for none.
 */
export function readRoomTimes(room: unknown, zoneInForce: string | null = null) {
  const written = valueAt(room, ZONE_PATH);
  const zoneFault = findZoneFault(written ?? null);
  const timeZone = zoneFault === null ? (written as string | null | undefined) : undefined;
  const zone = zoneFault === null ? (timeZone ?? zoneInForce) : null;
  const times: { [Name in TimeName]?: number | null } = {};
  const localTimes: typeof times = {};
  const faults: LocalFault[] = zoneFault === null ? [] : [{ path: ZONE_PATH, message: zoneFault }];
  for (const name of TIME_NAMES) {
    const path = TIME_PATHS[name];
    const value = valueAt(room, path);
    if (value === undefined) continue;
    const reading = value === null ? { ms: null } : readTime(value, zone);
    if ("ms" in reading) times[name] = reading.ms;
    else {
      const { fault, localMs } = reading;
      if (localMs !== undefined) localTimes[name] = localMs;
      // Of a zone that can't be read, it is not the time that is wrong.
      if (localMs === undefined || zoneFault === null) faults.push({ path, message: fault });
    }
  }
  // Times without a zone, or of one that can't be read, are still in some order.
  faults.push(...timesOutOfOrder(localTimes, valueAt(room, ["inlet", "type"])));
  const messagesAt = (path: Path) => faults.flatMap((fault) => (fault.path === path ? [fault.message] : []));
  return {
    times,
    ...(timeZone !== undefined && { timeZone }),
    faults: [...new Set(faults.map(({ path }) => path))].map((path) => ({
      path,
      message: messagesAt(path).join("; "),
    })),
  };
}

/** Whether an inlet of this type has times of its own. */
export function hasInletTimes(type: unknown): boolean {
  return type === "periodic" || type === "adaptive";
}

/** Faults of times that are not later than the given time before them, in the schedule and in an inlet that has times. */
export function timesOutOfOrder(
  times: RoomTimes,
  inletType?: unknown,
  nameOf: (path: Path) => string = formatPath,
): LocalFault[] {
  const sequences: TimeName[][] = [["prequeueAtMs", "opensAtMs", "endsAtMs"]];
  if (hasInletTimes(inletType)) sequences.push(["inletStartsAtMs", "inletEndsAtMs"]);
  return sequences.flatMap((names) => {
    const configured = names.filter((name) => isNumber(times[name]));
    return configured.flatMap((name, index) => {
      const before = configured[index - 1];
      if (before === undefined || (times[before] ?? 0) < (times[name] ?? 0)) return [];
      return [{ path: TIME_PATHS[name], message: `expected a time after ${nameOf(TIME_PATHS[before])}` }];
    });
  });
}

function findZoneFault(zone: unknown): string | null {
  if (zone === null) return null;
  if (typeof zone !== "string") return "expected the name of an IANA time zone, such as Europe/Berlin";
  return isTimeZone(zone) ? null : unknownTimeZone(zone);
}
