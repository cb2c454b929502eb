import { logIncrement } from "../../core/admission-log.ts";
import { addAdvance, takeBackAdvances } from "../../core/advances.ts";
import { addBatch, clearBatches } from "../../core/batches.ts";
import { noteExits } from "../../core/capacity.ts";
import { isLimited, peopleWaiting } from "../../core/clocks.ts";
import { followPhase, gapsToSkip, resumeDraws } from "../../core/draw/draws.ts";
import { moveOver, placesBetween } from "../../core/gaps.ts";
import { isForgotten, phaseOf, raiseVersion, setHold } from "../../core/holds.ts";
import { refill } from "../../core/inlet.ts";
import { clearKnocks } from "../../core/knocks.ts";
import { changeBasePhase } from "../../core/phases.ts";
import { clearProgress, noteServed } from "../../core/progress.ts";
import { stableText } from "../../lib/stable-text.ts";
import type { AdminStep, StepAnswer } from "../contract/room-store.ts";
import type { GroupData, RoomData } from "./data.ts";
import { voidEdition } from "./merge.ts";
import { placeGap } from "./recovery.ts";

const rememberMs = 24 * 3_600_000;

/** Carries out an operator's step, once per `requestId` if there is one. */
export function adminStep(
  room: RoomData,
  group: GroupData | null,
  step: AdminStep,
  requestId: string | null,
): StepAnswer | { conflict: true } {
  const text = stableText(step);
  const earlier = requestId === null ? undefined : room.requests.get(requestId);
  if (earlier !== undefined && earlier.expiresMs > room.atMs) {
    return earlier.step === text ? (earlier.answer as StepAnswer) : { conflict: true };
  }
  const counted = carryOut(room, group, step);
  const { serving, queued, edition } = room;
  const answer = { serving, queued, waiting: peopleWaiting(room), edition, phase: phaseOf(room), ...counted };
  if (requestId !== null) room.requests.set(requestId, { step: text, answer, expiresMs: room.atMs + rememberMs });
  return answer;
}

/** Answers what the step alone can tell. */
function carryOut(room: RoomData, group: GroupData | null, step: AdminStep): { exited?: number } {
  switch (step.step) {
    case "increment":
      increment(room, step.by);
      break;
    case "pause":
      setHold(room, "operator", true);
      break;
    case "resume":
      resume(room);
      break;
    case "alarm":
      setHold(room, "alarm", step.isSet);
      break;
    case "phase":
      changeBasePhase(room, step.phase);
      break;
    case "exited": {
      const exited = noteExits(room, step.count);
      refill(room, group);
      return { exited };
    }
    case "reset":
      reset(room);
      break;
  }
  return {};
}

/** Whether an operator's steps are the pace of the line: nothing else moves it, and no limit lets people in more slowly. */
function isMovedByHand(room: RoomData): boolean {
  return room.settings.effective.inlet.type === "manual" && !isLimited(room);
}

function increment(room: RoomData, by: number): void {
  const from = room.serving;
  room.serving = moveOver(gapsToSkip(room), from, by);
  logIncrement(room, by);
  if (room.serving < from) takeBackAdvances(room);
  if (room.serving <= from) return;
  const to = Math.min(room.serving, Math.max(from, room.queued));
  if (isMovedByHand(room) && peopleWaiting(room) > 0) noteServed(room, placesBetween(room.gaps, from, to));
  addAdvance(room);
  addBatch(room, from, to, "operator");
}

function resume(room: RoomData): void {
  const wasForgotten = isForgotten(room);
  if (wasForgotten && room.edition > 0) {
    const { serving } = room;
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

function reset(room: RoomData): void {
  voidEdition(room, Math.max(room.edition + 1, Math.floor(room.atMs / 1_000)));
  clearKnocks(room);
  clearBatches(room);
  clearProgress(room);
  raiseVersion(room);
  if (isForgotten(room)) {
    // Nothing of the new edition can have been forgotten.
    setHold(room, "operator", true);
    setHold(room, "recovered", false);
  }
  followPhase(room);
}

export function pruneRequests(room: RoomData, limit: number): void {
  let count = 0;
  for (const [id, request] of room.requests) {
    if (request.expiresMs > room.atMs || count++ >= limit) return;
    room.requests.delete(id);
  }
}
