import type { BasePhase, Schedule } from "../contract/room-store.ts";

/** The schedule's times with the phase that each begins. */
export function timesOf(schedule: Schedule): { atMs: number; phase: BasePhase }[] {
  const { prequeueAtMs, opensAtMs, endsAtMs } = schedule;
  return [
    { atMs: prequeueAtMs, phase: "prequeue" as const },
    { atMs: opensAtMs, phase: "open" as const },
    { atMs: endsAtMs, phase: "ended" as const },
  ].flatMap(({ atMs, phase }) => (atMs === null ? [] : [{ atMs, phase }]));
}

/** The phase that the schedule alone says for a time. */
export function phaseBySchedule(schedule: Schedule, nowMs: number): BasePhase {
  const times = timesOf(schedule);
  const last = times.findLast(({ atMs }) => atMs <= nowMs);
  if (last !== undefined) return last.phase;
  // A room that only ends has been open all along.
  return times.some(({ phase }) => phase !== "ended") ? "idle" : "open";
}

export function lastScheduleTime(schedule: Schedule, nowMs: number): number {
  return timesOf(schedule).findLast(({ atMs }) => atMs <= nowMs)?.atMs ?? 0;
}
