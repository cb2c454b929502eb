import { z } from "zod";
import { FOUR_EYES_STEPS, type FourEyesStep } from "../../../config/index.ts";
import type { RoomState, WaitingRoom } from "../../../room/index.ts";
import { timeText } from "../bodies.ts";
import { availability, commonFigures, figuresShape } from "../rooms/room-json.ts";
import { type LineEnds, lineEndsAnswer } from "../rooms/statistics.ts";

const count = z.int();
const figures = z.object({
  ...figuresShape,
  rehearsal: z.boolean(),
  inlet: z.enum(["manual", "periodic", "max_active", "adaptive"]),
  max_active: count.nullable(),
  /** What the line is planned by: the room's own limit or rate, or its share of a shared one. */
  limit_per_minute: z.number().nullable(),
  /** As forecast within the last seconds. */
  line_ends_at: lineEndsAnswer,
});

export const liveRoom = z
  .object({
    room: z.string(),
    title: z.string(),
    availability,
    /** Since this process last learned of the room from the store; null for never. */
    age_ms: count.nullable(),
    figures: figures.nullable(),
    /** Steps that wait for the word of a second person. */
    approvals: z.array(z.enum(FOUR_EYES_STEPS)),
  })
  .meta({ id: "LiveRoom" });

/** The data of each event of the stream. */
export const liveFigures = z.object({ at: timeText, rooms: z.array(liveRoom) }).meta({ id: "LiveFigures" });

/** Beside what the process knows of a room. */
export interface LiveExtras {
  /** When the line ends, as it was forecast. */
  readonly ends: LineEnds;
  readonly approvals: readonly FourEyesStep[];
}

/** A room as its process knows it: nothing is asked of the store. */
export function liveRoomJson(room: WaitingRoom, nowMs: number, extras: LiveExtras): z.output<typeof liveRoom> {
  const { state } = room;
  return {
    room: room.id,
    title: room.title,
    availability: room.availability,
    age_ms: state === null ? null : Math.max(0, Math.round(nowMs - room.refreshedMs)),
    figures: state && figuresJson(room, state, extras.ends),
    approvals: [...extras.approvals],
  };
}

function figuresJson(room: WaitingRoom, state: RoomState, ends: LineEnds): z.output<typeof figures> {
  const { inlet, rehearsal } = state.settings.effective;
  return {
    ...commonFigures(room, state),
    rehearsal: rehearsal === true,
    inlet: inlet.type,
    max_active: inlet.maxActive,
    limit_per_minute: state.planLimitPerMinute,
    line_ends_at: stillHolds(room, state, ends) ? ends : null,
  };
}

/** A forecast is some seconds old: a line that has been stopped or interrupted since has no end, and none is over before anybody enters. */
function stillHolds({ availability, holdUntilMs }: WaitingRoom, { phase }: RoomState, ends: LineEnds): boolean {
  const isTooEarly = holdUntilMs != null && ends?.low != null && Date.parse(ends.low) < holdUntilMs;
  return phase === "open" && availability === "ready" && !isTooEarly;
}
