/** What an operator's steps do. */
import type { AdminStep, StepAnswer } from "../store/contract/room-state.ts";
import { logIncrement } from "./admission-log.ts";
import { followPhase, gapsToSkip, resumeDraws } from "./draw/draws.ts";
import { publishChanges } from "./events/events.ts";
import { isForgotten, isLimited, peopleWaiting, phaseOf, raiseVersion, recordStock, setHold } from "./holds.ts";
import { recordExits, refill } from "./inlet.ts";
import { changeBasePhase } from "./phases.ts";
import { readAnswer, writeAnswer } from "./ports/lists.ts";
import { addAdvance, clearPendingClaims, moveOver, placesBetween, takeBackAdvances } from "./positions.ts";
import { addBatch, clearBatches, clearProgress, recordServed } from "./progress.ts";
import { placeGap, voidEdition } from "./recovery/gaps.ts";
import type { Room } from "./room.ts";
import { beginServed, keepServed } from "./statistics/statistics.ts";

const rememberMs = 24 * 3_600_000;

/** Whether an operator's steps are the pace of the line: nothing else moves it, and no limit lets people in more slowly. */
function isMovedByHand(room: Room): boolean {
  return room.inletType === "manual" && !isLimited(room);
}

function increment(room: Room, by: number): void {
  const from = room.serving;
  room.serving = moveOver(gapsToSkip(room), from, by);
  logIncrement(room, by);
  if (room.serving < from) takeBackAdvances(room);
  if (room.serving <= from) return;
  const to = Math.min(room.serving, Math.max(from, room.queued));
  if (isMovedByHand(room) && peopleWaiting(room) > 0) recordServed(room, placesBetween(room.gaps, from, to));
  addAdvance(room);
  addBatch(room, from, to, "operator");
}

/** Lifts the operator's hold, and that of a room which nobody remembers. */
function resumeRoom(room: Room): void {
  const wasForgotten = isForgotten(room);
  if (wasForgotten && room.edition > 0) {
    const serving = room.serving;
    placeGap(room);
    if (room.serving > serving) addAdvance(room);
  }
  if (room.edition === 0) room.edition = Math.floor(room.atMs / 1_000);
  setHold(room, "operator", false);
  setHold(room, "recovered", false);
  if (!wasForgotten) return;
  resumeDraws(room);
  followPhase(room);
}

/** The answer that a request id got in the last 24 h; null where it is new. @param text see `adminStep` */
export function repeatedStep(room: Room, requestId: string, text: string): StepAnswer | { conflict: true } | null {
  const earlier = readAnswer(room.answers, requestId);
  if (earlier === null || earlier.expiresMs <= room.atMs) return null;
  return earlier.step === text ? earlier.answer : { conflict: true };
}

/**
 * Carries out a step, once per request id if there is one: the first answer is given again for 24 h. `conflict`: the id was
 * used for another step.
 *
 * @param text the whole step, to tell that
 */
export function adminStep(
  room: Room,
  step: AdminStep,
  requestId: string | null,
  text: string,
): StepAnswer | { conflict: true } {
  if (requestId !== null) {
    const earlier = repeatedStep(room, requestId, text);
    if (earlier !== null) return earlier;
  }
  const exited = carryOut(room, step);
  publishChanges(room);
  const answer: { -readonly [K in keyof StepAnswer]: StepAnswer[K] } = {
    serving: room.serving,
    queued: room.queued,
    waiting: peopleWaiting(room),
    edition: room.edition,
    phase: phaseOf(room),
  };
  if (exited !== null) answer.exited = exited;
  if (step.step === "stock" && room.stockLeft !== null) answer.remaining = room.stockLeft;
  if (requestId !== null) {
    writeAnswer(room.answers, requestId, { step: text, answer, expiresMs: room.atMs + rememberMs }, room.atMs);
  }
  return answer;
}

/** Answers how many have exited, of that step; of others null. */
function carryOut(room: Room, step: AdminStep): number | null {
  if (step.step === "increment") increment(room, step.by);
  else if (step.step === "pause") setHold(room, "operator", true);
  else if (step.step === "resume") resumeRoom(room);
  else if (step.step === "alarm") setHold(room, "alarm", step.isSet);
  else if (step.step === "phase") changeBasePhase(room, step.phase);
  else if (step.step === "reset") resetRoom(room);
  else if (step.step === "stock") recordStock(room, step.remaining, step.asOfMs);
  else {
    const exited = recordExits(room, step.count);
    refill(room);
    return exited;
  }
  return null;
}

/** Begins a new edition. */
function resetRoom(room: Room): void {
  keepServed(room);
  voidEdition(room, Math.max(room.edition + 1, Math.floor(room.atMs / 1_000)));
  beginServed(room);
  clearPendingClaims(room);
  clearBatches(room);
  clearProgress(room);
  raiseVersion(room);
  // What was left of the last sale says nothing of the next one.
  recordStock(room, null, null);
  if (isForgotten(room)) {
    // Nothing of the new edition can have been forgotten.
    setHold(room, "operator", true);
    setHold(room, "recovered", false);
  }
  followPhase(room);
}
