import type { InletSettings, RoomSettings, RoomSettingsPatch } from "../../../src/store/room-settings.ts";

/** What a scenario says of its room; the rest is as in a plain configuration file. */
export interface RoomPlan {
  readonly inlet: Partial<InletSettings> & Pick<InletSettings, "type">;
  readonly durationMs?: number;
  readonly claimWithinMs?: number;
  readonly maxWaiting?: number | null;
}

export function settingsOf(plan: RoomPlan): RoomSettings {
  return {
    title: "Tickets",
    message: null,
    inlet: {
      outflowPerMinute: null,
      maxActive: null,
      startsAtMs: null,
      endsAtMs: null,
      sharedOutflow: null,
      gate: null,
      ...plan.inlet,
    },
    schedule: { prequeueAtMs: null, opensAtMs: null, endsAtMs: null },
    whenIdle: "page",
    whenEnded: "page",
    maxWaiting: plan.maxWaiting ?? null,
    admission: {
      durationMs: plan.durationMs ?? 1_200_000,
      maxDurationMs: null,
      claimWithinMs: plan.claimWithinMs ?? 900_000,
      loginsPerAdmission: 20,
    },
  };
}

/** Lays a live change over settings, as the store keeps them: absent members stay. */
export function withPatch(settings: RoomSettings, patch: RoomSettingsPatch): RoomSettings {
  return {
    ...settings,
    ...patch,
    inlet: { ...settings.inlet, ...patch.inlet },
    schedule: { ...settings.schedule, ...patch.schedule },
    admission: { ...settings.admission, ...patch.admission },
  };
}
