import { type Admission, peopleWaiting, type WaitingRoom } from "../../waiting-room/index.ts";
import { heldUntil } from "../public/status.ts";
import { settingsJson } from "./settings.ts";

/** A room as an operator sees it: live numbers, the settings in force, and where they come from. */
export function roomJson(room: WaitingRoom) {
  const { state } = room;
  if (state === null) return { room: room.id, title: room.title, availability: room.availability };
  const { settings } = state;
  return {
    room: room.id,
    title: settings.effective.title,
    availability: room.availability,
    phase: state.phase,
    phase_reason: state.phaseReason,
    edition: state.edition,
    version: state.version,
    serving: state.serving,
    queued: state.queued,
    waiting: peopleWaiting(state),
    gaps: state.gaps.map(({ from, to }) => [from, to]),
    held_until: heldUntil(room, state),
    live_admissions: state.liveAdmissions,
    outflow_limit: settings.effective.inlet.outflowPerMinute,
    outflow_per_minute: state.outflowPerMinute,
    settings: settingsJson(settings.effective),
    settings_file: settingsJson(settings.file),
    settings_live: settingsJson(settings.live),
    updated_at: new Date(room.refreshedMs).toISOString(),
  };
}

export function admissionJson(admission: Admission) {
  return {
    sub: admission.sub,
    status: admission.ended ?? "live",
    queue_position: admission.position,
    edition: admission.edition,
    admitted_at: new Date(admission.admittedMs).toISOString(),
    expires_at: new Date(admission.expiresMs).toISOString(),
    logins: admission.logins.length,
  };
}
