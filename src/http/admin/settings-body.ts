import type { z } from "zod";
import {
  INLET_KEYS,
  liveInletFields,
  type Path,
  ROOM_KEYS,
  type RoomTimes,
  readRoomTimes,
  roomFields,
  scheduleDisorder,
} from "../../config/index.ts";
import { isObject } from "../../lib/merge-patch.ts";
import { badRequest, object } from "./bodies.ts";

/** What can stand in the file, and not here. Rooms of one outflow must agree on it, and what links lead to is no matter of the day. */
const ofTheFile = (keys: readonly string[]) => (key: string) =>
  keys.includes(key) ? "only the configuration file can set this" : null;

const groups = {
  inlet: object(liveInletFields, ofTheFile(INLET_KEYS)),
  schedule: object({
    prequeue_at: roomFields.time,
    opens_at: roomFields.time,
    ends_at: roomFields.time,
    time_zone: roomFields.time,
  }),
  draw: object({ order: roomFields.drawOrder.nullish(), beacon: roomFields.drawBeacon.nullish() }),
  admission: object({
    duration: roomFields.duration.nullish(),
    max_duration: roomFields.maxDuration.nullish(),
    claim_within: roomFields.claimWithin.nullish(),
    logins_per_admission: roomFields.loginsPerAdmission.nullish(),
    addresses_per_admission: roomFields.addressesPerAdmission.nullish(),
  }),
  admission_log: object({ max_entries: roomFields.logEntries.nullish() }),
};

const settings = object(
  {
    title: roomFields.title.nullish(),
    message: roomFields.message.nullish(),
    inlet: groups.inlet.nullish(),
    schedule: groups.schedule.nullish(),
    when_idle: roomFields.whenIdle.nullish(),
    when_ended: roomFields.whenEnded.nullish(),
    max_waiting: roomFields.maxWaiting.nullish(),
    draw: groups.draw.nullish(),
    admission: groups.admission.nullish(),
    admission_log: groups.admission_log.nullish(),
    joins_per_address: roomFields.joinsPerAddress.nullish(),
    waiting_status: roomFields.waitingStatus.nullish(),
  },
  ofTheFile(ROOM_KEYS),
);

/** Of a room that was made at run time, what stands in its document alone: all that the file's alone is, but what names it or is read from files. */
const documentKeys = ROOM_KEYS.filter((key) => !(key in settings.shape) && key !== "id" && key !== "theme");

/** What a patch of such a room changes in its document, null for nothing, and what it changes live. */
export function splitPatch(body: unknown): { ofDocument: Record<string, unknown> | null; live: unknown } {
  if (!isObject(body)) return { ofDocument: null, live: body };
  const entries = Object.entries(body);
  const ofDocument = entries.filter(([key]) => documentKeys.includes(key));
  const live = Object.fromEntries(entries.filter(([key]) => !documentKeys.includes(key)));
  return { ofDocument: ofDocument.length === 0 ? null : Object.fromEntries(ofDocument), live };
}

/** Paths of all that can be changed while the program runs. */
export const liveKeys: readonly string[] = Object.keys(settings.shape).flatMap((key) =>
  key in groups ? Object.keys(groups[key as keyof typeof groups].shape).map((member) => `${key}.${member}`) : [key],
);

/** A merge patch (RFC 7396): null gives a value back to the configuration file. */
export interface SettingsBody {
  readonly members: z.infer<typeof settings>;
  /** The times among them. A local time is of the zone in the same body, else of the one in force. */
  readonly times: RoomTimes;
  /** An IANA name; absent where the body names none. */
  readonly timeZone?: string | null;
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
  const isGivenBack = data?.schedule === null || data?.schedule?.time_zone === null;
  const { times, timeZone, faults } = readRoomTimes(body, isGivenBack ? zones.file : zones.inForce);
  const issues = (error?.issues ?? []).map(({ path, message }) => ({ path: path as Path, message }));
  if (data === undefined || faults.length > 0) throw badRequest([...issues, ...faults, ...scheduleDisorder(times)]);
  return { members: data, times, ...(timeZone !== undefined && { timeZone }) };
}
