import {
  formatTimeIn,
  gateSettings,
  hasInletTimes,
  joinRate,
  messageSettings,
  probeSettings,
  type RoomFacts,
  roomContradictions,
  TIME_PATHS,
  type TimeName,
} from "../../config/index.ts";
import type { RoomSettings, RoomSettingsPatch } from "../../room/index.ts";
import { badRequest } from "./bodies.ts";
import type { SettingsBody } from "./settings-body.ts";

/** Lays a merge patch over the live changes: a value replaces, null gives back to the file, absence keeps. */
export function patchLive(live: RoomSettingsPatch, { members, times, timeZone }: SettingsBody): RoomSettingsPatch {
  const { inlet, schedule, admission } = members;
  return patchMembers<RoomSettingsPatch>(live, {
    title: members.title,
    ...(members.message === null ? noMessage : members.message && messageSettings(members.message)),
    inlet: patchGroup(live.inlet, inlet, {
      type: inlet?.type,
      outflowPerMinute: inlet?.outflow_per_minute,
      maxActive: inlet?.max_active,
      startsAtMs: times.inletStartsAtMs,
      endsAtMs: times.inletEndsAtMs,
      floorPerMinute: inlet?.floor_per_minute,
      startPerMinute: inlet?.start_per_minute,
      stepPerMinute: inlet?.step_per_minute,
      latencyMs: inlet?.latency_ms,
      timesBaseline: inlet?.times_baseline,
      errorRate: inlet?.error_rate,
      decideEveryMs: inlet?.decide_every,
      weight: inlet?.weight,
      probe: orOff(inlet?.probe, probeSettings),
      gate: orOff(inlet?.gate, gateSettings),
    }),
    schedule: patchGroup(live.schedule, schedule, {
      prequeueAtMs: times.prequeueAtMs,
      opensAtMs: times.opensAtMs,
      endsAtMs: times.endsAtMs,
    }),
    // It stands in the schedule, of which it is no time: to name it changes no time that was given before.
    timeZone: schedule === null ? null : timeZone,
    whenIdle: members.when_idle,
    whenEnded: members.when_ended,
    maxWaiting: members.max_waiting,
    draw: patchGroup(live.draw, members.draw, { order: members.draw?.order, beacon: members.draw?.beacon }),
    admission: patchGroup(live.admission, admission, {
      durationMs: admission?.duration,
      maxDurationMs: admission?.max_duration,
      claimWithinMs: admission?.claim_within,
      loginsPerAdmission: admission?.logins_per_admission,
      addressesPerAdmission: admission?.addresses_per_admission,
    }),
    logRowsMax: members.admission_log === null ? null : members.admission_log?.max_entries,
    joinsPerAddress: orOff(members.joins_per_address, joinRate),
    waitingStatus: members.waiting_status,
  });
}

/** Laid over the file as null, where null in a patch takes the live value away. */
const none = Symbol("none");

function orOff<Written, T>(written: Written | "off" | null | undefined, read: (written: Written) => T) {
  return written === "off" ? none : written && read(written as Written);
}

/** Where the file in force is of an earlier build, and says nothing. */
const drawDefault: NonNullable<RoomSettings["draw"]> = { order: "arrival", beacon: "none" };
const noMessage = { message: null, messageDetails: null };

type Patch<T> = { readonly [K in keyof T]?: T[K] | typeof none | null | undefined };

/** The patched members of a group; null when none are left, or the whole group is given back. */
function patchGroup<T extends object>(live: T | undefined, body: object | null | undefined, patch: Patch<T>): T | null {
  if (body === null) return null;
  const patched = patchMembers({ ...live } as T, patch);
  return Object.keys(patched).length === 0 ? null : patched;
}

function patchMembers<T extends object>(members: T, patch: Patch<T>): T {
  const result = { ...members };
  for (const key of Object.keys(patch) as (keyof T)[]) {
    const value = patch[key];
    if (value === null) delete result[key];
    else if (value !== undefined) result[key] = (value === none ? null : value) as T[keyof T];
  }
  return result;
}

/**
 * The file's settings with the live changes over them.
 *
 * @throws UsherError `bad_request` that names every member that makes no sense together with the others
 */
export function effectiveSettings(file: RoomSettings, live: RoomSettingsPatch): RoomSettings {
  const { draw, ...plain } = live;
  const effective: RoomSettings = {
    ...file,
    ...plain,
    inlet: { ...file.inlet, ...live.inlet },
    schedule: { ...file.schedule, ...live.schedule },
    ...((file.draw ?? draw) && { draw: { ...drawDefault, ...file.draw, ...draw } }),
    admission: { ...file.admission, ...live.admission },
  };
  const facts = factsOf(effective, live);
  const faults = roomContradictions(facts, (time) => nameOfTime(time, facts[time], effective, live));
  if (faults.length > 0) throw badRequest(faults);
  return effective;
}

/** A time that the body does not name is nowhere to be seen in it. */
function nameOfTime(
  time: TimeName,
  atMs: number | null | undefined,
  { timeZone }: RoomSettings,
  live: RoomSettingsPatch,
) {
  const { schedule = {}, inlet = {} } = live;
  const liveMs = {
    ...schedule,
    ...(inlet.startsAtMs !== undefined && { inletStartsAtMs: inlet.startsAtMs }),
    ...(inlet.endsAtMs !== undefined && { inletEndsAtMs: inlet.endsAtMs }),
  };
  const written = typeof atMs === "number" ? `, ${formatTimeIn(atMs, timeZone ?? null)}` : "";
  return `${TIME_PATHS[time].join(".")}${written}${time in liveMs ? "" : " (from the file)"}`;
}

/**
 * A live change of type leaves behind what the file says for its own type: it is in force no more, and nobody could
 * take it away. What was itself set live must fit.
 */
function factsOf({ inlet, schedule, admission }: RoomSettings, live: RoomSettingsPatch): RoomFacts {
  const own = hasInletTimes(inlet.type) ? inlet : live.inlet;
  return {
    inletType: inlet.type,
    outflowPerMinute: inlet.outflowPerMinute,
    sharedOutflow: inlet.sharedOutflow?.id ?? null,
    weight: inlet.weight ?? inlet.sharedOutflow?.weight ?? null,
    // Nor is what the file says of the rates in the way of a lower limit: they are kept within it.
    adaptive: {
      floor_per_minute: live.inlet?.floorPerMinute,
      start_per_minute: live.inlet?.startPerMinute,
      step_per_minute: live.inlet?.stepPerMinute,
      latency_ms: live.inlet?.latencyMs,
      times_baseline: live.inlet?.timesBaseline,
      error_rate: live.inlet?.errorRate,
      decide_every: live.inlet?.decideEveryMs,
      probe: live.inlet?.probe,
    },
    maxActive: (inlet.type === "max_active" ? inlet : live.inlet)?.maxActive ?? null,
    inletStartsAtMs: own?.startsAtMs ?? null,
    inletEndsAtMs: own?.endsAtMs ?? null,
    ...schedule,
    durationMs: admission.durationMs,
    maxDurationMs: admission.maxDurationMs,
  };
}
