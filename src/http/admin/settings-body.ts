import {
  DOCUMENT_KEYS,
  type Path,
  type RoomTimes,
  readChange,
  readRoomTimes,
  scheduleDisorder,
  settingsChange,
} from "../../config/index.ts";
import { isObject } from "../../lib/merge-patch.ts";
import { badRequest } from "./bodies.ts";

/** What a patch of a room that was made at run time changes in its document, null for nothing, and what it changes live. */
export function splitPatch(body: unknown): { ofDocument: Record<string, unknown> | null; live: unknown } {
  if (!isObject(body)) return { ofDocument: null, live: body };
  const entries = Object.entries(body);
  const ofDocument = entries.filter(([key]) => DOCUMENT_KEYS.includes(key));
  const live = Object.fromEntries(entries.filter(([key]) => !DOCUMENT_KEYS.includes(key)));
  return { ofDocument: ofDocument.length === 0 ? null : Object.fromEntries(ofDocument), live };
}

/** In the place of `off` in a change, whose null means something else. */
export const none = Symbol("none");

/** A merge patch (RFC 7396) in the words of the program: null gives a value back to the configuration file. */
export interface SettingsBody {
  readonly changes: Readonly<Record<string, unknown>>;
  /** The times among them. A local time is of the zone in the same body, else of the one in force. */
  readonly times: RoomTimes;
}

/** The zones that a room has without the body: what it says, or null for none. */
export interface KnownZones {
  readonly inForce: string | null;
  /** In force once the body has given the zone back to the file. */
  readonly file: string | null;
}

/** @throws UsherError `bad_request` that names every faulty member */
export function readSettingsBody(body: unknown, zones: KnownZones = { inForce: null, file: null }): SettingsBody {
  const { data, error } = settingsChange.safeParse(body);
  const { schedule } = (data ?? {}) as { schedule?: { time_zone?: unknown } | null };
  const isGivenBack = schedule === null || schedule?.time_zone === null;
  const zone = isGivenBack ? zones.file : zones.inForce;
  const { times, timeZone, faults } = readRoomTimes(body, zone);
  const issues = (error?.issues ?? []).map(({ path, message }) => ({ path: path as Path, message }));
  if (data === undefined || faults.length > 0) throw badRequest([...issues, ...faults, ...scheduleDisorder(times)]);
  return { changes: readChange(data as object, { zone: timeZone ?? zone, none }), times };
}
