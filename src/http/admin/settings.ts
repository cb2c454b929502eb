import { formatDuration } from "../../config/index.ts";
import { UsherError } from "../../lib/errors.ts";
import type { RoomSettings, RoomSettingsPatch } from "../../waiting-room/index.ts";
import type { SettingsBody } from "./bodies.ts";

/** Settings in the words of the configuration file. */
export function settingsJson(settings: RoomSettings | RoomSettingsPatch) {
  const { title, message, inlet, admission } = settings;
  return {
    ...(title === undefined ? {} : { title }),
    ...(message === undefined ? {} : { message }),
    ...(inlet === undefined
      ? {}
      : {
          inlet: {
            ...(inlet.type === undefined ? {} : { type: inlet.type }),
            ...(inlet.outflowPerMinute === undefined ? {} : { outflow_per_minute: inlet.outflowPerMinute }),
          },
        }),
    ...(admission === undefined
      ? {}
      : {
          admission: {
            ...(admission.durationMs === undefined ? {} : { duration: formatDuration(admission.durationMs) }),
            ...(admission.claimWithinMs === undefined ? {} : { claim_within: formatDuration(admission.claimWithinMs) }),
            ...(admission.loginsPerAdmission === undefined
              ? {}
              : { logins_per_admission: admission.loginsPerAdmission }),
          },
        }),
  };
}

/** Lays a merge patch over the live changes: a value replaces, null gives back to the file, absence keeps. */
export function patchLive(live: RoomSettingsPatch, body: SettingsBody): RoomSettingsPatch {
  const inlet =
    body.inlet === null
      ? undefined
      : patchMembers(
          { ...live.inlet },
          {
            type: body.inlet?.type,
            outflowPerMinute: body.inlet?.outflow_per_minute,
          },
        );
  const admission =
    body.admission === null
      ? undefined
      : patchMembers(
          { ...live.admission },
          {
            durationMs: body.admission?.duration,
            claimWithinMs: body.admission?.claim_within,
            loginsPerAdmission: body.admission?.logins_per_admission,
          },
        );
  const title = body.title === undefined ? live.title : (body.title ?? undefined);
  const message = body.message === undefined ? live.message : (body.message ?? undefined);
  return {
    ...(title === undefined ? {} : { title }),
    ...(message === undefined ? {} : { message }),
    ...(inlet === undefined || Object.keys(inlet).length === 0 ? {} : { inlet }),
    ...(admission === undefined || Object.keys(admission).length === 0 ? {} : { admission }),
  };
}

function patchMembers<T extends object>(members: T, patch: { [K in keyof T]?: T[K] | null | undefined }): T {
  const result = { ...members };
  for (const key of Object.keys(patch) as (keyof T)[]) {
    const value = patch[key];
    if (value === null) delete result[key];
    else if (value !== undefined) result[key] = value as T[keyof T];
  }
  return result;
}

/** @throws UsherError `bad_request` when the two do not make sense together */
export function effectiveSettings(file: RoomSettings, live: RoomSettingsPatch): RoomSettings {
  const effective: RoomSettings = {
    title: live.title ?? file.title,
    message: live.message ?? file.message,
    inlet: { ...file.inlet, ...live.inlet },
    admission: { ...file.admission, ...live.admission },
  };
  if (effective.inlet.type === "periodic" && effective.inlet.outflowPerMinute === null) {
    throw new UsherError("bad_request", "inlet.outflow_per_minute: the inlet `periodic` needs a limit", {
      status: 400,
    });
  }
  return effective;
}
