/** Changes of a room's settings while the program runs: merge patches (RFC 7396) in which null gives a value back to the file. */
import {
  contradictionsIn,
  formatPath,
  hasInletTimes,
  type Path,
  type RoomTimes,
  readChange,
  readRoomTimes,
  settingsChange,
  timesOutOfOrder,
  valueAt,
  writeRoomSettings,
} from "../../../config/index.ts";
import { isObject, mergePatch } from "../../../lib/json.ts";
import type { RoomSettings, RoomSettingsPatch } from "../../../room/index.ts";
import { badRequest } from "../bodies.ts";

/** In the place of `off` in a change, whose null means something else. */
const none = Symbol("none");

/** A patch in the words of the program. */
export interface SettingsBody {
  readonly changes: Readonly<Record<string, unknown>>;
  /** The times among them. A local time is of the zone in the same body, else of the one in force. */
  readonly times: RoomTimes;
}

/**
 * @param zones that the room has without the body, null for none: the one in force, and the file's, which is in force once the
 * body has given the zone back
 * @throws UsherError `bad_request` that names every faulty member
 */
export function readSettingsBody(
  body: unknown,
  zones: { readonly inForce: string | null; readonly file: string | null } = { inForce: null, file: null },
): SettingsBody {
  const { data, error } = settingsChange.safeParse(body);
  const { schedule } = (data ?? {}) as { schedule?: { time_zone?: unknown } | null };
  const isRestored = schedule === null || schedule?.time_zone === null;
  const zone = isRestored ? zones.file : zones.inForce;
  const { times, timeZone, faults } = readRoomTimes(body, zone);
  const issues = (error?.issues ?? []).map(({ path, message }) => ({ path: path as Path, message }));
  if (data === undefined || faults.length > 0) throw badRequest([...issues, ...faults, ...timesOutOfOrder(times)]);
  return { changes: readChange(data as object, { zone: timeZone ?? zone, none }), times };
}

/** Applies a merge patch to the live changes: a value replaces, null gives back to the file, absence keeps. */
export function patchLive(live: RoomSettingsPatch, { changes }: SettingsBody): RoomSettingsPatch {
  return withoutEmpty(mergePatch(live, changes) as object) as RoomSettingsPatch;
}

/** Without groups in which nothing is left. What is to be none is null, over the file. */
function withoutEmpty(members: object): object {
  const entries = Object.entries(members).map(([key, value]) => {
    if (value === none) return [key, null];
    return [key, isObject(value) ? withoutEmpty(value) : value];
  });
  return Object.fromEntries(entries.filter(([, value]) => !isObject(value) || Object.keys(value).length > 0));
}

/**
 * The file's settings with the live changes over them.
 *
 * @throws UsherError `bad_request` that names every member that makes no sense together with the others
 */
export function effectiveSettings(file: RoomSettings, live: RoomSettingsPatch): RoomSettings {
  const effective: RoomSettings = {
    ...file,
    ...live,
    inlet: { ...file.inlet, ...live.inlet },
    schedule: { ...file.schedule, ...live.schedule },
    draw: { ...file.draw, ...live.draw },
    admission: { ...file.admission, ...live.admission },
  };
  const faults = contradictionsOf(effective, live);
  if (faults.length > 0) throw badRequest(faults);
  return effective;
}

/**
 * By the rules of the file. A live change of type leaves behind what the file says for its own type: it is in force no more, and
 * nobody could take it away. What was itself set live must fit.
 */
function contradictionsOf({ timeZone, ...effective }: RoomSettings, live: RoomSettingsPatch) {
  const zone = timeZone ?? null;
  const { type, outflowPerMinute, sharedOutflow, weight = null, maxActive, startsAtMs, endsAtMs } = effective.inlet;
  const inlet = {
    // Nor is what the file says of the rates in the way of a lower limit: they are kept within it.
    ...live.inlet,
    type,
    outflowPerMinute,
    sharedOutflow,
    weight,
    ...(type === "max_active" && { maxActive }),
    ...(hasInletTimes(type) && { startsAtMs, endsAtMs }),
  };
  const document = writeRoomSettings({ ...effective, inlet }, zone);
  const ofBody = writeRoomSettings(live, zone);
  // A time that the body does not name is nowhere to be seen in it.
  return contradictionsIn(document, (path) => {
    const isOfFile = valueAt(ofBody, path) === undefined;
    return `${formatPath(path)}, ${valueAt(document, path)}${isOfFile ? " (from the file)" : ""}`;
  });
}
