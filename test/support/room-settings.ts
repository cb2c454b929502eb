import type { RoomSettings, RoomSettingsPatch } from "../../src/store/contract/room-settings.ts";

/** A room whose file says nothing but its title: manual, with the defaults of the configuration. */
export const manualSettings: RoomSettings = {
  title: "Tickets",
  message: null,
  inlet: {
    type: "manual",
    outflowPerMinute: null,
    maxActive: null,
    startsAtMs: null,
    endsAtMs: null,
    sharedOutflow: null,
    gate: null,
  },
  schedule: { prequeueAtMs: null, opensAtMs: null, endsAtMs: null },
  whenIdle: "page",
  whenEnded: "page",
  maxWaiting: null,
  admission: { durationMs: 1_200_000, maxDurationMs: null, claimWithinMs: 900_000, loginsPerAdmission: 20 },
};

/** Lays a live change over settings, as the store keeps them: absent members stay. */
export function withPatch(settings: RoomSettings, { draw, ...patch }: RoomSettingsPatch): RoomSettings {
  return {
    ...settings,
    ...patch,
    inlet: { ...settings.inlet, ...patch.inlet },
    schedule: { ...settings.schedule, ...patch.schedule },
    ...(settings.draw && { draw: { ...settings.draw, ...draw } }),
    admission: { ...settings.admission, ...patch.admission },
  };
}
