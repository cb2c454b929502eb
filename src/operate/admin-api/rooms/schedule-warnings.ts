/** What an operator should know of times that were accepted: those that will change nothing, and those that did at once. */
import { formatTime, hasInletTimes, type RoomTimes } from "../../../config/index.ts";
import { phasesBefore, type RoomState, type WaitingRoom } from "../../../room/index.ts";

/** The times of a schedule: their key, the phase that each begins, and the step to take instead. */
const scheduled = [
  { name: "prequeueAtMs", key: "prequeue_at", begins: "prequeue", step: "prequeue" },
  { name: "opensAtMs", key: "opens_at", begins: "open", step: "open" },
  { name: "endsAtMs", key: "ends_at", begins: "ended", step: "end" },
] as const;

/** Why a later time will change nothing in a phase. In `idle` each changes something. */
const whyNot: Partial<Record<RoomState["basePhase"], string>> = {
  passthrough:
    "the room is off (passthrough), and no time of the schedule ends that: POST …/open, …/prequeue or …/idle",
  ended: "the room has ended: a schedule that opens later brings it back, or POST …/open",
  open: "the room is open already; to close it until then, POST …/prequeue (arrivals are taken) or …/idle first",
  prequeue: "the room is in the phase prequeue already; POST …/idle goes back before it",
};

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
  const { basePhase, settings } = after;
  const time = scheduled.find(({ begins }) => begins === basePhase);
  if (time === undefined || before.basePhase === basePhase) return [];
  const { schedule, timeZone = null } = settings.effective;
  const atMs = schedule[time.name];
  const why = atMs === null ? `the schedule has no ${time.key}` : `${time.key} ${formatTime(atMs, timeZone)} is past`;
  return [`schedule: the room is ${basePhase === "prequeue" ? "in prequeue" : basePhase} now: ${why}`];
}

/** One line for each time of a change that changes nothing, with its path. `state` is that after the change. */
export function scheduleWarnings(state: RoomState, times: RoomTimes): string[] {
  const { settings, nowMs, basePhase } = state;
  const { inlet, timeZone = null } = settings.effective;
  const ofSchedule = scheduled.flatMap(({ name, key, step }) => {
    const atMs = times[name] ?? null;
    const isTooEarly = phasesBefore[name].includes(basePhase);
    const isLater = atMs !== null && atMs > nowMs;
    if (atMs === null || isLater === isTooEarly) return [];
    const why = isLater
      ? `will change nothing: ${whyNot[basePhase]}`
      : `is past and was carried out before, so it changes nothing now: POST …/${step}`;
    return [`schedule.${key}: ${formatTime(atMs, timeZone)} ${why}`];
  });
  const endsAtMs = times.inletEndsAtMs ?? null;
  if (endsAtMs === null || endsAtMs > nowMs || !hasInletTimes(inlet.type)) return ofSchedule;
  const ended = `inlet.ends_at: ${formatTime(endsAtMs, timeZone)} is past: the line does not move by itself any more`;
  return [...ofSchedule, ended];
}
