/** What an operator should know of times that were accepted: those that will change nothing, and those that did at once. */
import { formatTimeIn, hasInletTimes, type RoomTimes } from "../../config/index.ts";
import { phasesBefore, type RoomState, type WaitingRoom } from "../../room/index.ts";

const instead = {
  prequeueAtMs: { key: "prequeue_at", phase: "prequeue" },
  opensAtMs: { key: "opens_at", phase: "open" },
  endsAtMs: { key: "ends_at", phase: "end" },
} as const;

/** What the schedule in force says and will not come true: after a restart with another file, say. */
export function standingWarnings(state: RoomState): string[] {
  const { schedule, inlet } = state.settings.effective;
  return scheduleWarnings(state, { ...schedule, inletEndsAtMs: inlet.endsAtMs });
}

/** What prevents a draw, as far as this process knows. */
export function drawWarnings({ withoutKey }: Pick<WaitingRoom["draws"], "withoutKey">): string[] {
  if (withoutKey === null) return [];
  return [
    `draw: this process does not have the draw key ${withoutKey}, which the draw under way was committed to with; where no process has it, let everybody in (passthrough) or reset the room`,
  ];
}

/** A phase that the room is in since the change, because a time of its schedule is past. */
export function phaseWarnings(before: RoomState, after: RoomState): string[] {
  const name = begunBy[after.basePhase];
  if (name === undefined || before.basePhase === after.basePhase) return [];
  const { schedule, timeZone } = after.settings.effective;
  const atMs = schedule[name];
  const { key } = instead[name];
  const why = atMs === null ? `the schedule has no ${key}` : `${key} ${formatTimeIn(atMs, timeZone ?? null)} is past`;
  return [`schedule: the room is ${after.basePhase === "prequeue" ? "in prequeue" : after.basePhase} now: ${why}`];
}

/** The time that begins each phase; `idle` is where a schedule begins. */
const begunBy: { readonly [Phase in RoomState["basePhase"]]?: keyof typeof instead } = {
  prequeue: "prequeueAtMs",
  open: "opensAtMs",
  ended: "endsAtMs",
};

/** One line for each time of a change that changes nothing, with its path. `state` is that after the change. */
export function scheduleWarnings(state: RoomState, times: RoomTimes): string[] {
  const { settings, nowMs, basePhase } = state;
  const { inlet, timeZone } = settings.effective;
  const written = (ms: number) => formatTimeIn(ms, timeZone ?? null);
  const warnings: string[] = [];
  for (const name of ["prequeueAtMs", "opensAtMs", "endsAtMs"] as const) {
    const atMs = times[name];
    if (atMs === undefined || atMs === null) continue;
    const { key, phase } = instead[name];
    const isTooEarly = phasesBefore[name].includes(basePhase);
    if (atMs > nowMs && !isTooEarly) {
      warnings.push(`schedule.${key}: ${written(atMs)} will change nothing: ${whyNot(basePhase)}`);
    } else if (atMs <= nowMs && isTooEarly) {
      warnings.push(
        `schedule.${key}: ${written(atMs)} is past and was carried out before, so it changes nothing now: POST …/${phase}`,
      );
    }
  }
  const { inletEndsAtMs } = times;
  if (typeof inletEndsAtMs === "number" && inletEndsAtMs <= nowMs && hasInletTimes(inlet.type)) {
    warnings.push(`inlet.ends_at: ${written(inletEndsAtMs)} is past: the line does not move by itself any more`);
  }
  return warnings;
}

function whyNot(basePhase: RoomState["basePhase"]): string {
  switch (basePhase) {
    case "passthrough":
      return "the room is off (passthrough), and no time of the schedule ends that: POST …/open, …/prequeue or …/idle";
    case "ended":
      return "the room has ended: a schedule that opens later brings it back, or POST …/open";
    case "open":
      return "the room is open already; to close it until then, POST …/prequeue (arrivals are taken) or …/idle first";
    default:
      return `the room is in the phase ${basePhase} already; POST …/idle goes back before it`;
  }
}
