import { formatTime, writeRoomSettings } from "../../config/index.ts";
import { faultLines, type RegisteredRoomView } from "../../registry/index.ts";
import { peopleWaiting, type RoomState, type WaitingRoom } from "../../room/index.ts";
import { heldUntil, measuredOutflow } from "../visitor/status.ts";
import { snakeCase, timeOrNull } from "./bodies.ts";
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
    counts: Object.fromEntries(Object.entries(state.counts).map(([name, count]) => [snakeCase(name), count])),
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

/** How an `adaptive` inlet controls the site's latency; null for other inlets. */
export function adaptiveJson({ adaptive }: Pick<RoomState, "adaptive">) {
  if (adaptive === undefined) return null;
  return {
    rate_per_minute: adaptive.ratePerMinute,
    target_ms: rounded(adaptive.targetMs, 10),
    latency_ms: rounded(adaptive.latencyMs, 10),
    baseline_ms: rounded(adaptive.baselineMs, 10),
    error_rate: rounded(adaptive.errorRate, 10_000),
    decision: adaptive.decision,
    reason: adaptive.reason,
    decided_at: adaptive.decidedMs === 0 ? null : formatTime(adaptive.decidedMs),
  };
}

function rounded(value: number | null, to: number): number | null {
  return value === null ? null : Math.round(value * to) / to;
}

/** Where a room is from. @param view of one that was made at run time */
export function originJson(issuer: string, view: RegisteredRoomView | undefined) {
  const registered = view?.registered;
  return {
    issuer,
    source: view === undefined ? "file" : "admin_api",
    status: view?.status ?? "active",
    document: registered?.document ?? null,
    created_at: timeOrNull(registered?.created_ms),
    changed_at: timeOrNull(registered?.updated_ms),
    faults: view === undefined ? [] : faultLines(view.reading),
  };
}
