import { z } from "zod";
import { formatTime, type RoomHome, writeRoomSettings, writtenChange, writtenSettings } from "../../../config/index.ts";
import { faultLines, type RegisteredRoomView } from "../../../registry/index.ts";
import { peopleWaiting, type RoomState, type WaitingRoom } from "../../../room/index.ts";
import { drawStage } from "../../../web/visitor/answers.ts";
import { measuredOutflow, recoveryEndsAt } from "../../../web/visitor/status.ts";
import { snakeCase, timeOrNone, timeOrNull, timeText } from "../bodies.ts";
import { drawWarnings, standingWarnings } from "./schedule-warnings.ts";

/** Where a room is from, and the document of one that was made at run time. */
const origin = {
  issuer: z.string(),
  source: z.enum(["file", "admin_api"]),
  status: z.enum(["active", "shadowed", "unusable"]),
  document: z.record(z.string(), z.unknown()).nullable(),
  created_at: timeOrNone,
  changed_at: timeOrNone,
  faults: z.array(z.string()),
  /** The other systems whose clients come to the room, what they call it, and the guide. */
  homes: z.array(
    z.object({ system: z.string(), ids: z.array(z.string()), guide: z.string() }).meta({ id: "RoomHome" }),
  ),
};
/** Absent where it was removed in this very moment. */
const originIfAny = z.object(origin).partial().shape;

export const phase = z.enum(["idle", "prequeue", "open", "paused", "ended", "passthrough"]);
export const phaseReason = z.enum(["recovered", "sold_out", "operator", "alarm", "unhealthy"]).nullable();
export const availability = z.enum(["ready", "recovering", "away"]);

export const adaptiveAnswer = z
  .object({
    rate_per_minute: z.number(),
    target_ms: z.number().nullable(),
    latency_ms: z.number().nullable(),
    baseline_ms: z.number().nullable(),
    error_rate: z.number().nullable(),
    decision: z.enum(["increase", "decrease", "hold"]),
    reason: z.enum([
      "above_target",
      "errors",
      "signal_off",
      "below_target",
      "on_target",
      "settling",
      "at_floor",
      "at_limit",
      "unused",
      "no_data",
      "not_open",
    ]),
    decided_at: timeOrNone,
  })
  .meta({ id: "Adaptive" });

/** What a room's own answer and the stream of figures have in common. */
export const figuresShape = {
  phase,
  phase_reason: phaseReason,
  base_phase: phase.exclude(["paused"]),
  holds: z.array(z.enum(["recovered", "sold_out", "operator", "alarm", "unhealthy", "signal"])),
  prequeue_at: timeOrNone,
  opens_at: timeOrNone,
  ends_at: timeOrNone,
  edition: z.int(),
  version: z.int(),
  serving: z.int(),
  queued: z.int(),
  waiting: z.int(),
  held_until: timeOrNone,
  live_admissions: z.int(),
  absent: z.int(),
  outflow_per_minute: z.number(),
  /** The draw to come, under way, or last of this edition; its commitment is empty until it is committed to. */
  draw: z.object({ stage: drawStage, commitment: z.string() }).nullable(),
  stock: z.object({ remaining: z.int(), as_of: timeText }).nullable(),
  warnings: z.array(z.string()),
};

const named = { room: z.string(), title: z.string(), availability };

/** A room of which this process knows the state. */
export const roomJsonSchema = z
  .object({
    ...named,
    ...figuresShape,
    gaps: z.array(z.array(z.int()).length(2)),
    pending: z.int(),
    counts: z.record(z.string(), z.int()),
    outflow_limit: z.int().nullable(),
    shared_outflow_limit: z.int().nullable(),
    adaptive: adaptiveAnswer.nullable(),
    settings: writtenSettings,
    settings_file: writtenSettings,
    settings_live: writtenChange,
    updated_at: timeText,
    ...originIfAny,
  })
  .meta({ id: "Room" });
/** Before this process has asked the store. */
const unknownRoom = z.object({ ...named, ...originIfAny }).meta({ id: "UnknownRoom" });
export const roomAnswer = z.union([roomJsonSchema, unknownRoom]);
export const listedRoom = z.union([
  ...roomAnswer.options,
  z.object({ room: z.string(), ...origin }).meta({ id: "UnusedRoom" }),
]);
export const createdRoom = z.union([
  ...roomAnswer.options,
  z.object({ room: z.string(), ...originIfAny }).meta({ id: "MadeRoom" }),
]);

/** A room as an operator sees it: live numbers, the settings in force, and where they come from. */
export function roomJson(room: WaitingRoom) {
  const { state } = room;
  if (state !== null) return syncedRoomJson(room, state);
  return { room: room.id, title: room.title, availability: room.availability };
}

export function syncedRoomJson(room: WaitingRoom, state: RoomState) {
  const { settings } = state;
  const { inlet } = settings.effective;
  const timeZone = settings.effective.timeZone ?? null;
  return {
    room: room.id,
    title: settings.effective.title,
    availability: room.availability,
    ...commonFigures(room, state),
    gaps: state.gaps.map(({ from, to }) => [from, to]),
    pending: state.pending,
    counts: Object.fromEntries(Object.entries(state.counts).map(([name, count]) => [snakeCase(name), count])),
    outflow_limit: inlet.outflowPerMinute,
    shared_outflow_limit: inlet.sharedOutflow?.outflowPerMinute ?? null,
    adaptive: adaptiveJson(state),
    settings: writeRoomSettings(settings.effective, timeZone),
    settings_file: writeRoomSettings(settings.file, settings.file.timeZone),
    settings_live: writeRoomSettings(settings.live, timeZone),
    updated_at: formatTime(room.refreshedMs),
  };
}

/** The values of `figuresShape`. */
export function commonFigures(room: WaitingRoom, state: RoomState) {
  const { schedule } = state.settings.effective;
  const draw = room.draws.current;
  return {
    phase: state.phase,
    phase_reason: state.phaseReason,
    base_phase: state.basePhase,
    holds: state.holds.slice(),
    prequeue_at: timeOrNull(schedule.prequeueAtMs),
    opens_at: timeOrNull(schedule.opensAtMs),
    ends_at: timeOrNull(schedule.endsAtMs),
    edition: state.edition,
    version: state.version,
    serving: state.serving,
    queued: state.queued,
    waiting: peopleWaiting(state),
    held_until: recoveryEndsAt(room),
    live_admissions: state.liveAdmissions,
    absent: state.absent,
    outflow_per_minute: measuredOutflow(state),
    draw: draw && { stage: draw.stage, commitment: draw.commitment },
    stock: stockJson(state),
    warnings: [...standingWarnings(state), ...drawWarnings(room.draws)],
  };
}

/** What is left to sell, as the shop said it last; null where it does not say. */
function stockJson({ stock: { left, asOfMs } }: RoomState) {
  return left === null ? null : { remaining: left, as_of: formatTime(asOfMs) };
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

/** Where a room is from, and who else comes to it. @param view of one that was made at run time @param homes of all rooms */
export function originJson(
  { issuer, id }: { readonly issuer: string; readonly id: string },
  view: RegisteredRoomView | undefined,
  homes: readonly RoomHome[],
) {
  const registered = view?.registered;
  const isInForce = view === undefined || view.status === "active";
  return {
    issuer,
    source: view === undefined ? ("file" as const) : ("admin_api" as const),
    status: view?.status ?? ("active" as const),
    document: registered?.document ?? null,
    created_at: timeOrNull(registered?.created_ms),
    changed_at: timeOrNull(registered?.updated_ms),
    faults: view === undefined ? [] : faultLines(view.reading),
    homes: homes.flatMap(({ room, ...home }) => (room === id && isInForce ? home : [])),
  };
}
