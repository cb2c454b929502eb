import { noteExits } from "../../core/capacity.ts";
import { peopleWaiting } from "../../core/clocks.ts";
import { phaseOf, setHold } from "../../core/holds.ts";
import { refill } from "../../core/inlet.ts";
import { changeBasePhase } from "../../core/phases.ts";
import { increment, resetRoom, resumeRoom } from "../../core/steps.ts";
import { stableText } from "../../lib/stable-text.ts";
import type { AdminStep, StepAnswer } from "../contract/room-store.ts";
import type { GroupData, RoomData } from "./data.ts";

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
      resumeRoom(room);
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
      resetRoom(room);
      break;
  }
  return {};
}

export function pruneRequests(room: RoomData, limit: number): void {
  let count = 0;
  for (const [id, request] of room.requests) {
    if (request.expiresMs > room.atMs || count++ >= limit) return;
    room.requests.delete(id);
  }
}
