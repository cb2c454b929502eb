/**
 * The base phase and the schedule, which moves it through idle, prequeue, open, ended: each of its times once, and only forward, so that
 * what an operator did since stands, and never out of `passthrough`. A new room begins in the phase that its schedule says for now.
 */
import type { BasePhase } from "../store/contract/room-settings.ts";
import { followPhase } from "./draw/draws.ts";
import { isForgotten, raiseVersion } from "./holds.ts";
import { addAdvance } from "./positions.ts";
import type { Room } from "./room.ts";

/** A time of the schedule, with the phase that begins then. */
interface PhaseTime {
  readonly atMs: number;
  readonly phase: BasePhase;
}

/** The schedule's times, in the order of their phases. */
export function timesOf(room: Room): PhaseTime[] {
  const times: PhaseTime[] = [];
  if (room.prequeueAtMs !== null) times.push({ atMs: room.prequeueAtMs, phase: "prequeue" });
  if (room.opensAtMs !== null) times.push({ atMs: room.opensAtMs, phase: "open" });
  if (room.closesAtMs !== null) times.push({ atMs: room.closesAtMs, phase: "ended" });
  return times;
}

/** The last of the times that has passed, in the order of their phases; null for none. */
function lastPassed(room: Room): PhaseTime | null {
  const passed = timesOf(room).filter((time) => time.atMs <= room.atMs);
  return passed[passed.length - 1] ?? null;
}

/** The phase that the schedule alone says for now. */
export function phaseBySchedule(room: Room): BasePhase {
  const last = lastPassed(room);
  if (last !== null) return last.phase;
  // A room that only ends has been open all along.
  return room.prequeueAtMs !== null || room.opensAtMs !== null ? "idle" : "open";
}

export function lastScheduleTime(room: Room): number {
  const last = lastPassed(room);
  return last === null ? 0 : last.atMs;
}

/** When admissions of an idle phase end at the latest: at the schedule's next time; null for none. */
export function idleEndsMs(room: Room): number | null {
  const next = timesOf(room).find((time) => time.atMs > room.atMs);
  if (next === undefined) return null;
  return next.atMs;
}

export function changeBasePhase(room: Room, phase: BasePhase): void {
  if (room.basePhase === phase) return;
  // Whatever came between, an idle phase is over when another one begins. A mark ahead of the clock would end the next.
  if (phase === "idle") room.idleEndedMs = Math.min(room.idleEndedMs, room.atMs);
  else if (phase !== "passthrough") room.idleEndedMs = room.atMs;
  room.basePhase = phase;
  room.phaseSinceMs = room.atMs;
  raiseVersion(room);
  if (!isForgotten(room)) followPhase(room);
  if (phase !== "passthrough" || room.serving >= room.queued) return;
  room.unsettledFrom = 0;
  room.serving = room.queued;
  addAdvance(room);
}

/** In the order that the schedule moves a room through. `passthrough` is outside of it. */
function rankOf(phase: BasePhase): number {
  if (phase === "idle") return 1;
  if (phase === "prequeue") return 2;
  if (phase === "open") return 3;
  return phase === "ended" ? 4 : 5;
}

function moveForward(room: Room, phase: BasePhase): void {
  if (rankOf(phase) > rankOf(room.basePhase)) changeBasePhase(room, phase);
}

/** Whether the schedule says something up to now that was not carried out. */
function isDue(room: Room, timeMs: number | null): boolean {
  return timeMs !== null && timeMs > room.scheduleMarkMs && timeMs <= room.atMs;
}

export function isScheduleDue(room: Room): boolean {
  return isDue(room, room.prequeueAtMs) || isDue(room, room.opensAtMs) || isDue(room, room.closesAtMs);
}

/** Carries out what the schedule says up to now. */
export function carryOutSchedule(room: Room): void {
  for (const time of timesOf(room)) {
    if (isDue(room, time.atMs)) {
      room.scheduleMarkMs = time.atMs;
      moveForward(room, time.phase);
    }
  }
}

function isAmong(times: readonly PhaseTime[], wanted: PhaseTime): boolean {
  return times.some((time) => time.atMs === wanted.atMs && time.phase === wanted.phase);
}

/** A phase has one time at most. */
export function areSameTimes(times: readonly PhaseTime[], others: readonly PhaseTime[]): boolean {
  return times.length === others.length && !times.some((time) => !isAmong(others, time));
}

/**
 * A schedule that was changed: the next event of a room that has ended begins with the phase that it says, and a time that is
 * new counts even if it lies before one that was carried out.
 */
export function adoptSchedule(room: Room, before: readonly PhaseTime[]): void {
  const times = timesOf(room);
  // What is still to come counts, though the clock was ahead once.
  if (room.scheduleMarkMs > room.atMs) room.scheduleMarkMs = room.atMs;
  for (const time of times) {
    if (time.atMs <= room.scheduleMarkMs && !isAmong(before, time)) moveForward(room, time.phase);
  }
  const phase = phaseBySchedule(room);
  if (room.basePhase === "ended" && times.length > 0 && phase !== "ended") {
    changeBasePhase(room, phase);
    room.scheduleMarkMs = lastScheduleTime(room);
  }
  carryOutSchedule(room);
}
