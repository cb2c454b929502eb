import { z } from "zod";
import { peopleWaiting, type RoomState, type WaitingRoom } from "../../../room/index.ts";
import { heldUntil, measuredOutflow } from "../../visitor/status.ts";
import { timeOrNone, timeOrNull, timeText } from "../bodies.ts";
import { availability, phase, phaseReason } from "../rooms/room-json.ts";
import { drawWarnings, standingWarnings } from "../rooms/schedule-warnings.ts";
import { type LineEnds, lineEndsAnswer } from "../rooms/statistics.ts";

const count = z.int();
const figures = z.object({
  rehearsal: z.boolean(),
  phase,
  phase_reason: phaseReason,
  base_phase: phase.exclude(["paused"]),
  holds: z.array(z.enum(["recovered", "operator", "alarm", "unhealthy", "signal"])),
  inlet: z.enum(["manual", "periodic", "max_active", "adaptive"]),
  prequeue_at: timeOrNone,
  opens_at: timeOrNone,
  ends_at: timeOrNone,
  edition: count,
  version: count,
  serving: count,
  queued: count,
  waiting: count,
  live_admissions: count,
  absent: count,
  max_active: count.nullable(),
  outflow_per_minute: z.number(),
  /** What the line is planned by: the room's own limit or rate, or its share of a shared one. */
  limit_per_minute: z.number().nullable(),
  held_until: timeOrNone,
  /** As forecast within the last seconds. */
  line_ends_at: lineEndsAnswer,
  warnings: z.array(z.string()),
});

export const liveRoom = z
  .object({
    room: z.string(),
    title: z.string(),
    availability,
    /** Since this process last learned of the room from the store; null for never. */
    age_ms: count.nullable(),
    figures: figures.nullable(),
  })
  .meta({ id: "LiveRoom" });

/** The data of each event of the stream. */
export const liveFigures = z.object({ at: timeText, rooms: z.array(liveRoom) }).meta({ id: "LiveFigures" });

/** A room as its process knows it: nothing is asked of the store. @param ends when the line ends, as it was forecast */
export function liveRoomJson(room: WaitingRoom, nowMs: number, ends: LineEnds): z.output<typeof liveRoom> {
  const { state } = room;
  return {
    room: room.id,
    title: room.title,
    availability: room.availability,
    age_ms: state === null ? null : Math.max(0, Math.round(nowMs - room.refreshedMs)),
    figures: state && figuresJson(room, state, ends),
  };
}

function figuresJson(room: WaitingRoom, state: RoomState, ends: LineEnds): z.output<typeof figures> {
  const { inlet, schedule, rehearsal } = state.settings.effective;
  return {
    rehearsal: rehearsal === true,
    phase: state.phase,
    phase_reason: state.phaseReason,
    base_phase: state.basePhase,
    holds: state.holds.slice(),
    inlet: inlet.type,
    prequeue_at: timeOrNull(schedule.prequeueAtMs),
    opens_at: timeOrNull(schedule.opensAtMs),
    ends_at: timeOrNull(schedule.endsAtMs),
    edition: state.edition,
    version: state.version,
    serving: state.serving,
    queued: state.queued,
    waiting: peopleWaiting(state),
    live_admissions: state.liveAdmissions,
    absent: state.absent,
    max_active: inlet.maxActive,
    outflow_per_minute: measuredOutflow(state),
    limit_per_minute: state.planLimitPerMinute,
    held_until: heldUntil(room, state),
    line_ends_at: ends,
    warnings: [...standingWarnings(state), ...drawWarnings(room.draws)],
  };
}
