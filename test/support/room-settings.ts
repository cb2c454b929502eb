import type { RoomSettings, RoomSettingsPatch } from "../../src/store/contract/room-settings.ts";

/** A room whose file says nothing but its title: manual, in order of arrival, with the defaults of the configuration but any number of joins. */
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
  draw: { order: "arrival", beacon: "none" },
  admission: { durationMs: 1_200_000, maxDurationMs: null, claimWithinMs: 900_000, loginsPerAdmission: 20 },
  logRowsMax: 100_000,
  waitingStatus: 200,
  joinsPerAddress: null,
};

/** Lays a live change over settings, as the store keeps them: absent members stay. */
export function withPatch(settings: RoomSettings, { draw, ...patch }: RoomSettingsPatch): RoomSettings {
  return {
    ...settings,
    ...patch,
    inlet: { ...settings.inlet, ...patch.inlet },
    schedule: { ...settings.schedule, ...patch.schedule },
    draw: { ...settings.draw, ...draw },
    admission: { ...settings.admission, ...patch.admission },
  };
}
