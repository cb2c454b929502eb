import type { z } from "zod";
import {
  innermost,
  kindOf,
  membersOf,
  orOff,
  type Path,
  ROOM_KEYS,
  type RoomTimes,
  readChange,
  readRoomTimes,
  roomSettings,
  scheduleDisorder,
} from "../../config/index.ts";
import { isObject } from "../../lib/merge-patch.ts";
import { badRequest, object } from "./bodies.ts";

/** Rooms of one outflow must agree on it. */
const FILE_ONLY = "shared_outflow";

/**
 * Settings as a change takes them: each by itself, and null gives it back to the file.
 *
 * @param known what may stand beside them in the file
 */
function changeOf(setting: z.ZodType, known?: readonly string[]): z.ZodType {
  const { offExample } = kindOf(setting);
  const members = membersOf(setting);
  if (offExample !== undefined) return orOff(innermost(setting), offExample).nullish();
  if (members === null) return innermost(setting).nullish();
  const ofFile = known ?? members.map(([key]) => key);
  const whyNot = (key: string) => (ofFile.includes(key) ? "only the configuration file can set this" : null);
  const taken = members.filter(([key]) => key !== FILE_ONLY).map(([key, member]) => [key, changeOf(member)]);
  return object(Object.fromEntries(taken), whyNot).nullish();
}

const settings = innermost(changeOf(roomSettings, ROOM_KEYS));
const topKeys = (membersOf(settings) ?? []).map(([key]) => key);

/** Of a room that was made at run time, what stands in its document alone: all that the file's alone is, but what names it or is read from files. */
const documentKeys = ROOM_KEYS.filter((key) => !topKeys.includes(key) && key !== "id" && key !== "theme");

/** What a patch of such a room changes in its document, null for nothing, and what it changes live. */
export function splitPatch(body: unknown): { ofDocument: Record<string, unknown> | null; live: unknown } {
  if (!isObject(body)) return { ofDocument: null, live: body };
  const entries = Object.entries(body);
  const ofDocument = entries.filter(([key]) => documentKeys.includes(key));
  const live = Object.fromEntries(entries.filter(([key]) => !documentKeys.includes(key)));
  return { ofDocument: ofDocument.length === 0 ? null : Object.fromEntries(ofDocument), live };
}

/** Paths of all that can be changed while the program runs. */
export const liveKeys: readonly string[] = (membersOf(settings) ?? []).flatMap(
  ([key, member]) => membersOf(member)?.map(([name]) => `${key}.${name}`) ?? [key],
);

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
  const { data, error } = settings.safeParse(body);
  const { schedule } = (data ?? {}) as { schedule?: { time_zone?: unknown } | null };
  const isGivenBack = schedule === null || schedule?.time_zone === null;
  const zone = isGivenBack ? zones.file : zones.inForce;
  const { times, timeZone, faults } = readRoomTimes(body, zone);
  const issues = (error?.issues ?? []).map(({ path, message }) => ({ path: path as Path, message }));
  if (data === undefined || faults.length > 0) throw badRequest([...issues, ...faults, ...scheduleDisorder(times)]);
  return { changes: readChange(data as object, { zone: timeZone ?? zone, none }), times };
}
