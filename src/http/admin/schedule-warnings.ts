/** What an operator should know of times that were accepted and will change nothing. */
import { formatTimeIn, type RoomTimes } from "../../config/index.ts";
import { phasesBefore, type RoomState } from "../../waiting-room/index.ts";

const instead = {
  prequeueAtMs: { key: "prequeue_at", phase: "prequeue" },
  opensAtMs: { key: "opens_at", phase: "open" },
  endsAtMs: { key: "ends_at", phase: "end" },
} as const;

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
  if (typeof inletEndsAtMs === "number" && inletEndsAtMs <= nowMs && inlet.type === "periodic") {
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
