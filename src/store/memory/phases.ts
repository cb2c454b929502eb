import type { BasePhase, HoldReason, Phase, PhaseReason, Schedule } from "../contract/room-store.ts";
import { addAdvance } from "./advances.ts";
import type { RoomData } from "./data.ts";
import { followPhase } from "./draws.ts";
import { lastScheduleTime, phaseBySchedule, timesOf } from "./schedule.ts";

const holdOrder: readonly HoldReason[] = ["recovered", "operator", "alarm", "unhealthy", "signal"];
/** The phases in which each reason holds a room; null for all. */
const heldPhases: Readonly<Record<HoldReason, readonly BasePhase[] | null>> = {
  recovered: null,
  operator: ["prequeue", "open"],
  alarm: ["open"],
  unhealthy: ["open"],
  signal: ["open"],
};
/** In the order that the schedule moves a room through. `passthrough` is outside of it. */
const scheduled: readonly BasePhase[] = ["idle", "prequeue", "open", "ended"];

export function phaseReason(room: RoomData): PhaseReason {
  const hold = room.holds.find((reason) => heldPhases[reason]?.includes(room.basePhase) ?? true) ?? null;
  return hold === "signal" ? "unhealthy" : hold;
}

export function phaseOf(room: RoomData): Phase {
  return phaseReason(room) === null ? room.basePhase : "paused";
}

export function isForgotten(room: RoomData): boolean {
  return room.holds.includes("recovered");
}

/** Notes a change. Whatever changes in a forgotten room, it stays at 0: a true memory of it wins. */
export function raiseVersion(room: RoomData): void {
  if (!isForgotten(room)) room.version++;
}

export function setHold(room: RoomData, reason: HoldReason, isSet: boolean): void {
  if (room.holds.includes(reason) === isSet) return;
  room.holds = holdOrder.filter((hold) => (hold === reason ? isSet : room.holds.includes(hold)));
  raiseVersion(room);
}

/** When admissions of an idle phase end at the latest: at the schedule's next time. */
export function idleEndsMs(room: RoomData): number {
  const next = timesOf(room.settings.effective.schedule).find(({ atMs }) => atMs > room.atMs);
  return next?.atMs ?? Number.POSITIVE_INFINITY;
}

/** Whatever came between, an idle phase is over when another one begins. A mark ahead of the clock would end the next. */
function idleEndedAfter({ idleEndedMs, atMs }: RoomData, phase: BasePhase): number {
  if (phase === "passthrough") return idleEndedMs;
  return phase === "idle" ? Math.min(idleEndedMs, atMs) : atMs;
}

export function changeBasePhase(room: RoomData, phase: BasePhase): void {
  if (room.basePhase === phase) return;
  room.idleEndedMs = idleEndedAfter(room, phase);
  room.basePhase = phase;
  raiseVersion(room);
  if (!isForgotten(room)) followPhase(room);
  if (phase !== "passthrough" || room.serving >= room.queued) return;
  room.unsettledFrom = 0;
  room.serving = room.queued;
  addAdvance(room);
}

/** Carries out what the schedule says up to now; each of its times once, and only forward. */
export function carryOutSchedule(room: RoomData): void {
  for (const { atMs, phase } of timesOf(room.settings.effective.schedule)) {
    if (atMs <= room.scheduleMarkMs || atMs > room.atMs) continue;
    room.scheduleMarkMs = atMs;
    moveForward(room, phase);
  }
}

function moveForward(room: RoomData, phase: BasePhase): void {
  const isForward = scheduled.indexOf(phase) > scheduled.indexOf(room.basePhase);
  if (isForward && room.basePhase !== "passthrough") changeBasePhase(room, phase);
}

/**
 * A schedule that was changed: the next event of a room that has ended begins with the phase that it says, and a time that is
 * new counts even if it lies before one that was carried out.
 */
export function adoptSchedule(room: RoomData, before: Schedule): void {
  const { schedule } = room.settings.effective;
  const known = timesOf(before);
  // What is still to come counts, though the clock was ahead once.
  room.scheduleMarkMs = Math.min(room.scheduleMarkMs, room.atMs);
  for (const { atMs, phase: next } of timesOf(schedule)) {
    const isNew = !known.some((time) => time.atMs === atMs && time.phase === next);
    if (isNew && atMs <= room.scheduleMarkMs) moveForward(room, next);
  }
  const phase = phaseBySchedule(schedule, room.atMs);
  if (room.basePhase === "ended" && timesOf(schedule).length > 0 && phase !== "ended") {
    changeBasePhase(room, phase);
    room.scheduleMarkMs = lastScheduleTime(schedule, room.atMs);
  }
  carryOutSchedule(room);
}
