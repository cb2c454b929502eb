import {
  type AdaptiveFacts,
  formatTimeIn,
  hasInletTimes,
  type RoomFacts,
  roomContradictions,
  TIME_PATHS,
  type TimeName,
  writeRoomSettings,
} from "../../config/index.ts";
import { isObject, mergePatch } from "../../lib/merge-patch.ts";
import type { RoomSettings, RoomSettingsPatch } from "../../room/index.ts";
import { badRequest } from "./bodies.ts";
import { none, type SettingsBody } from "./settings-body.ts";

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
    adaptive: { ...(live.inlet && (writeRoomSettings({ inlet: live.inlet }).inlet as AdaptiveFacts)) },
    maxActive: (inlet.type === "max_active" ? inlet : live.inlet)?.maxActive ?? null,
    inletStartsAtMs: own?.startsAtMs ?? null,
    inletEndsAtMs: own?.endsAtMs ?? null,
    ...schedule,
    durationMs: admission.durationMs,
    maxDurationMs: admission.maxDurationMs,
  };
}
