import { stableText } from "../../lib/stable-text.ts";
import type { AdminStep, Counters, Phase } from "../room-store.ts";
import { addAdvance, takeBackAdvances } from "./advances.ts";
import type { RoomData } from "./data.ts";
import { moveOver, placesBetween } from "./gaps.ts";
import { clearKnocks } from "./knocks.ts";
import { voidEdition } from "./merge.ts";
import { addBatch } from "./pull.ts";
import { placeGap } from "./recovery.ts";

const rememberMs = 24 * 3_600_000;

export type StepAnswer = Counters & { edition: number; phase: Phase };

/** Carries out an operator's step, once per `requestId` if there is one. */
export function adminStep(room: RoomData, step: AdminStep, requestId: string | null): StepAnswer | { conflict: true } {
  const text = stableText(step);
  const earlier = requestId === null ? undefined : room.requests.get(requestId);
  if (earlier !== undefined && earlier.expiresMs > room.atMs) {
    return earlier.step === text ? (earlier.answer as StepAnswer) : { conflict: true };
  }
  carryOut(room, step);
  const { serving, queued, edition, phase } = room;
  const answer = { serving, queued, waiting: placesBetween(room.gaps, serving, queued), edition, phase };
  if (requestId !== null) room.requests.set(requestId, { step: text, answer, expiresMs: room.atMs + rememberMs });
  return answer;
}

function carryOut(room: RoomData, step: AdminStep): void {
  if (step.step === "increment") increment(room, step.by);
  else if (step.step === "reset") reset(room);
  else if (step.step === "resume" && room.phase === "paused") resume(room);
  // A forgotten room is paused already, for a reason that must not be lost.
  else if (step.step === "pause" && room.phase === "open") changePhase(room, "paused");
}

function changePhase(room: RoomData, phase: Phase): void {
  room.phase = phase;
  room.phaseReason = phase === "paused" ? "operator" : null;
  room.version++;
}

function increment(room: RoomData, by: number): void {
  const from = room.serving;
  room.serving = moveOver(room.gaps, from, by);
  if (room.serving < from) takeBackAdvances(room);
  if (room.serving <= from) return;
  addAdvance(room);
  addBatch(room, from, Math.min(room.serving, Math.max(from, room.queued)));
}

function resume(room: RoomData): void {
  if (room.phaseReason === "recovered" && room.edition > 0) {
    const { serving } = room;
    placeGap(room);
    if (room.serving > serving) addAdvance(room);
  }
  if (room.edition === 0) room.edition = Math.floor(room.atMs / 1_000);
  changePhase(room, "open");
}

function reset(room: RoomData): void {
  voidEdition(room, Math.max(room.edition + 1, Math.floor(room.atMs / 1_000)));
  clearKnocks(room);
  room.pull.batches = [];
  room.version++;
  // Nothing of the new edition can have been forgotten.
  if (room.phaseReason === "recovered") room.phaseReason = "operator";
}

export function pruneRequests(room: RoomData, limit: number): void {
  let count = 0;
  for (const [id, request] of room.requests) {
    if (request.expiresMs > room.atMs || count++ >= limit) return;
    room.requests.delete(id);
  }
}
