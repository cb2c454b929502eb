/** What a schema can't see in rooms and shared outflows: times, contradictions, references. Goes by the raw document. */
import { parseRedisUrl } from "../../lib/redis-url.ts";
import { indexesAt, type Path, valueAt } from "../resolve/raw-document.ts";
import { ADAPTIVE_KEYS, settingAt } from "../schema/room-settings.ts";
import { type Fault, faultAt } from "./faults.ts";
import { entriesOfIssuers } from "./issuer-paths.ts";
import { type RoomFacts, roomContradictions } from "./room-rules.ts";
import { type RoomTimes, readRoomTimes, TIME_PATHS, type TimeName } from "./room-times.ts";
import { suggest } from "./words.ts";

export function checkRoom(raw: unknown, path: Path): Fault[] {
  const room = valueAt(raw, path);
  const { times, faults } = readRoomTimes(room);
  return [
    ...[...faults, ...roomContradictions(factsOf(room, times))].map((fault) =>
      faultAt(raw, [...path, ...fault.path], fault.message),
    ),
    ...unknownSharedOutflow(raw, [...path, "inlet", "shared_outflow"]),
  ];
}

/**
 * Rooms that share an outflow need a store in which one script sees them all, and a Redis Cluster keeps rooms apart.
 * `storeUrl` null where there is none, or where it can't be told.
 */
export function checkSharing(raw: unknown, storeUrl: string | null): Fault[] {
  if (storeUrl === null || !isCluster(storeUrl)) {
    return [];
  }
  return entriesOfIssuers(raw, "rooms")
    .map((room) => [...room, "inlet", "shared_outflow"])
    .filter((path) => (valueAt(raw, path) ?? null) !== null)
    .map((path) =>
      faultAt(
        raw,
        path,
        "not with a cluster (store.url): one script must see all its rooms; use a single Redis or Sentinel, or give each room outflow_per_minute",
      ),
    );
}

function isCluster(url: string): boolean {
  try {
    return parseRedisUrl(url).kind === "cluster";
  } catch {
    // Told where the URL is checked.
    return false;
  }
}

function unknownSharedOutflow(raw: unknown, path: Path): Fault[] {
  const id = valueAt(raw, path);
  const ids = indexesAt(raw, ["shared_outflows"])
    .map((index) => valueAt(raw, ["shared_outflows", index, "id"]))
    .filter((known) => typeof known === "string");
  if (typeof id !== "string" || id === "" || ids.includes(id)) {
    return [];
  }
  const meant = suggest(id, ids);
  const known = ids.length === 0 ? "there are none" : `there are ${ids.slice(0, 10).join(", ")}`;
  const hint = meant === null ? "" : `, did you mean ${meant}?`;
  return [faultAt(raw, path, `no such entry of shared_outflows${hint}; ${known}`)];
}

function factsOf(room: unknown, times: RoomTimes): RoomFacts {
  const time = (name: TimeName) => (isGiven(room, TIME_PATHS[name]) ? times[name] : null);
  /** As the schema reads it, null where it is not given and has no default; undefined where it can't be read. */
  const fact = <T>(...path: string[]): T | null | undefined => {
    const { data, success } = settingAt(path).safeParse(isGiven(room, path) ? valueAt(room, path) : undefined);
    return success ? ((data as T | undefined) ?? null) : isGiven(room, path) ? undefined : null;
  };
  return {
    inletType: isGiven(room, ["inlet"]) ? fact("inlet", "type") : "manual",
    outflowPerMinute: fact("inlet", "outflow_per_minute"),
    sharedOutflow: fact("inlet", "shared_outflow"),
    weight: fact("inlet", "weight"),
    adaptive: Object.fromEntries(
      ADAPTIVE_KEYS.filter((key) => isGiven(room, ["inlet", key])).map((key) => [key, valueAt(room, ["inlet", key])]),
    ),
    maxActive: fact("inlet", "max_active"),
    durationMs: fact("admission", "duration"),
    maxDurationMs: fact("admission", "max_duration"),
    prequeueAtMs: time("prequeueAtMs"),
    opensAtMs: time("opensAtMs"),
    endsAtMs: time("endsAtMs"),
    inletStartsAtMs: time("inletStartsAtMs"),
    inletEndsAtMs: time("inletEndsAtMs"),
  };
}

function isGiven(room: unknown, path: Path): boolean {
  return (valueAt(room, path) ?? null) !== null;
}
