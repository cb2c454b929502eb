import { formatTime, writeRoomSettings } from "../../config/index.ts";
import { peopleWaiting, type RoomState, type WaitingRoom } from "../../room/index.ts";
import { heldUntil, measuredOutflow } from "../visitor/status.ts";
import { adaptiveJson } from "./adaptive-json.ts";
import { drawWarnings, standingWarnings } from "./schedule-warnings.ts";

/** A room as an operator sees it: live numbers, the settings in force, and where they come from. */
export function roomJson(room: WaitingRoom) {
  const { state } = room;
  if (state === null) return { room: room.id, title: room.title, availability: room.availability };
  const { settings } = state;
  const { inlet, schedule } = settings.effective;
  const timeZone = settings.effective.timeZone ?? null;
  return {
    room: room.id,
    title: settings.effective.title,
    availability: room.availability,
    phase: state.phase,
    phase_reason: state.phaseReason,
    base_phase: state.basePhase,
    holds: state.holds,
    prequeue_at: timeOrNull(schedule.prequeueAtMs),
    opens_at: timeOrNull(schedule.opensAtMs),
    ends_at: timeOrNull(schedule.endsAtMs),
    edition: state.edition,
    version: state.version,
    serving: state.serving,
    queued: state.queued,
    waiting: peopleWaiting(state),
    gaps: state.gaps.map(({ from, to }) => [from, to]),
    held_until: heldUntil(room, state),
    live_admissions: state.liveAdmissions,
    absent: state.absent,
    pending: state.pending,
    counts: countsJson(state.counts),
    outflow_limit: inlet.outflowPerMinute,
    shared_outflow_limit: inlet.sharedOutflow?.outflowPerMinute ?? null,
    outflow_per_minute: measuredOutflow(state),
    adaptive: adaptiveJson(state),
    settings: writeRoomSettings(settings.effective, timeZone),
    settings_file: writeRoomSettings(settings.file, settings.file.timeZone),
    settings_live: writeRoomSettings(settings.live, timeZone),
    warnings: [...standingWarnings(state), ...drawWarnings(room.draws)],
    updated_at: formatTime(room.refreshedMs),
  };
}

function countsJson(counts: RoomState["counts"]) {
  return {
    joined: counts.joined,
    entered: counts.entered,
    passed: counts.passed,
    bypassed: counts.bypassed,
    completed: counts.completed,
    abandoned: counts.abandoned,
    logged_out: counts.loggedOut,
    revoked: counts.revoked,
    expired: counts.expired,
    no_shows: counts.noShows,
    left: counts.left,
  };
}

function timeOrNull(ms: number | null): string | null {
  return ms === null ? null : formatTime(ms);
}
