import { formatDuration, formatTimeIn } from "../../config/index.ts";
import { textsByLanguage } from "../../pages/render/message-json.ts";
import {
  type JoinRate,
  messageOf,
  type RoomMessage,
  type RoomSettings,
  type RoomSettingsPatch,
} from "../../room/index.ts";

/**
 * Settings in the words of the configuration file. Of live changes, those that there are.
 *
 * @param timeZone in which times are written; null for UTC.
 */
export function settingsJson(settings: RoomSettings | RoomSettingsPatch, timeZone: string | null = null) {
  const { title, inlet, schedule, admission } = settings;
  const formatTime = (ms: number) => formatTimeIn(ms, timeZone);
  return present({
    title,
    message: settings.message === undefined ? undefined : messageJson(messageOf(settings)),
    inlet: inlet && inletJson(inlet, formatTime),
    schedule:
      (schedule || settings.timeZone) &&
      present({
        prequeue_at: written(schedule?.prequeueAtMs, formatTime),
        opens_at: written(schedule?.opensAtMs, formatTime),
        ends_at: written(schedule?.endsAtMs, formatTime),
        time_zone: settings.timeZone,
      }),
    when_idle: settings.whenIdle,
    when_ended: settings.whenEnded,
    max_waiting: settings.maxWaiting,
    draw: settings.draw,
    admission:
      admission &&
      present({
        duration: written(admission.durationMs, formatDuration),
        max_duration: written(admission.maxDurationMs, formatDuration),
        claim_within: written(admission.claimWithinMs, formatDuration),
        logins_per_admission: admission.loginsPerAdmission,
        addresses_per_admission: admission.addressesPerAdmission,
      }),
    admission_log: written(settings.logRowsMax, (max_entries) => ({ max_entries })),
    joins_per_address: settings.joinsPerAddress === null ? "off" : written(settings.joinsPerAddress, joinRateJson),
    waiting_status: settings.waitingStatus,
  });
}

function joinRateJson({ perMinute, burst }: JoinRate) {
  return { per_minute: perMinute, burst };
}

/** A text where that says it all. */
function messageJson(message: RoomMessage | null) {
  if (message === null) return null;
  const text = textsByLanguage(message) ?? message.texts[0]?.text;
  return message.severity === "information" && typeof text === "string" ? text : { text, severity: message.severity };
}

function inletJson(inlet: NonNullable<RoomSettingsPatch["inlet"]>, formatTime: (ms: number) => string) {
  return present({
    type: inlet.type,
    outflow_per_minute: inlet.outflowPerMinute,
    shared_outflow: written(inlet.sharedOutflow, ({ id }) => id),
    weight: inlet.weight ?? inlet.sharedOutflow?.weight,
    starts_at: written(inlet.startsAtMs, formatTime),
    ends_at: written(inlet.endsAtMs, formatTime),
    max_active: inlet.maxActive,
    floor_per_minute: inlet.floorPerMinute,
    start_per_minute: inlet.startPerMinute,
    step_per_minute: inlet.stepPerMinute,
    latency_ms: inlet.latencyMs,
    times_baseline: inlet.timesBaseline,
    error_rate: inlet.errorRate,
    decide_every: written(inlet.decideEveryMs, formatDuration),
    probe: written(inlet.probe, ({ url, intervalMs, timeoutMs }) => ({
      url,
      interval: formatDuration(intervalMs),
      timeout: formatDuration(timeoutMs),
    })),
    gate: written(inlet.gate, (gate) => ({
      health_url: gate.healthUrl,
      interval: formatDuration(gate.intervalMs),
      timeout: formatDuration(gate.timeoutMs),
      unhealthy_after: gate.unhealthyAfter,
      healthy_after: gate.healthyAfter,
    })),
  });
}

/** Writes a value; null stays null (none), undefined stays undefined (nothing said). */
function written<T, Written>(value: T | null | undefined, write: (value: T) => Written): Written | null | undefined {
  if (value === undefined) return undefined;
  return value === null ? null : write(value);
}

/** Without the members that are undefined. */
function present<T extends object>(members: T): Partial<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Partial<T>;
}
