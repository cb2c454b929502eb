import { z } from "zod";
import {
  liveInletFields,
  type Path,
  type RoomTimes,
  readRoomTimes,
  roomFields,
  scheduleDisorder,
} from "../../config/index.ts";
import { badRequest, object } from "./bodies.ts";

/**
 * Rooms of one outflow must agree on it, an address that every process asks is no matter of an admin key, and what programs,
 * proxies and CDNs make of a status is to be tried before the day.
 */
const fileOnly = z.never({ error: "only the configuration file can set this" }).optional();

const settings = object({
  title: roomFields.title.nullish(),
  message: roomFields.message.nullish(),
  inlet: object({
    type: roomFields.inletType.nullish(),
    ...liveInletFields,
    probe: fileOnly,
    gate: fileOnly,
    shared_outflow: fileOnly,
    weight: fileOnly,
  }).nullish(),
  schedule: object({
    prequeue_at: roomFields.time,
    opens_at: roomFields.time,
    ends_at: roomFields.time,
    time_zone: roomFields.time,
  }).nullish(),
  when_idle: roomFields.whenIdle.nullish(),
  when_ended: roomFields.whenEnded.nullish(),
  max_waiting: roomFields.maxWaiting.nullish(),
  draw: object({ order: roomFields.drawOrder.nullish(), beacon: roomFields.drawBeacon.nullish() }).nullish(),
  waiting_status: fileOnly,
  joins_per_address: fileOnly,
  admission_log: fileOnly,
  language: fileOnly,
  admission: object({
    duration: roomFields.duration.nullish(),
    max_duration: roomFields.maxDuration.nullish(),
    claim_within: roomFields.claimWithin.nullish(),
    logins_per_admission: roomFields.loginsPerAdmission.nullish(),
  }).nullish(),
});

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
