import { FOUR_EYES_STEPS } from "../../../config/index.ts";
import { UsherError } from "../../../lib/errors.ts";
import { peopleWaiting, type RoomState, type WaitingRoom } from "../../../room/index.ts";
import type { Inverse } from "../../audit/index.ts";
import type { AdminRequest } from "../admin-router.ts";
import type { FourEyes } from "../four-eyes/four-eyes.ts";
import type { Confirmations } from "./confirmation.ts";

type OnRoom = AdminRequest<WaitingRoom, unknown, unknown>;

/** What is asked before a step is taken. */
export interface StepRules {
  readonly confirmations: Confirmations;
  readonly fourEyes: FourEyes;
}

/**
 * Takes a step in a room, and notes for the audit what it changed and the way back.
 *
 * @throws UsherError `confirmation_required`, `approval_required`, `conflict` where it would take back what is no more,
 * `idempotency_key_reused`
 */
export async function carryOut(request: OnRoom, step: Step, { confirmations, fourEyes }: StepRules) {
  const { ctx, subject: room, requestId, principal, notes } = request;
  if (step.step === "exited") return room.operations.step(step, requestId, principal.id);
  const name = nameOf(step);
  // A step that is decided on an older state could be carried out without asking. Where the store is away, it is not taken at all.
  await room.refresh();
  const { state } = room;
  if (state !== null) {
    notes.changing(snapshotFor(step, state));
    if (notes.undoes !== null && step.step === "resume" && state.holds.includes("recovered")) {
      throw new UsherError("conflict", "the room was paused by a recovery since: resume it yourself");
    }
    const would = dangerOf(step, state);
    // Its token was for the room as it was before the step.
    const earlier = would === null || requestId === null ? null : await room.operations.repeated(step, requestId);
    if (earlier !== null) return earlier;
    const twice = FOUR_EYES_STEPS.find((candidate) => candidate === name && fourEyes.takesTwo(candidate));
    const takesTwo = twice !== undefined;
    if (would !== null) await confirmations.require({ ctx, principal, room, state, step: name, would, takesTwo });
    if (would !== null && twice !== undefined)
      return fourEyes.ask({ principal, room, state, step: twice, would, notes });
  } else if (fourEyes.takesTwo(name)) {
    throw new UsherError("store_unavailable", "try again in a moment", { retryAfterSec: 2 });
  }
  return takeStep(request, step, requestId);
}

/** Takes a step that nothing is asked about any more. */
export async function takeStep(
  {
    subject: room,
    principal,
    notes,
  }: Pick<OnRoom, "subject" | "notes"> & {
    readonly principal: Pick<OnRoom["principal"], "id">;
  },
  step: Step,
  requestId: string | null,
) {
  const { state: before } = room;
  const answer = await room.operations.step(step, requestId, principal.id);
  const { state: after } = room;
  if (before !== null && after !== null) {
    notes.changed(snapshotFor(step, before), snapshotFor(step, after), inverseOfStep(room.id, step, before));
  }
  return answer;
}

/** As in the address of its route. */
function nameOf(step: Step): string {
  if (step.step !== "phase") return step.step;
  return step.phase === "ended" ? "end" : step.phase;
}

export type Step = Parameters<WaitingRoom["operations"]["step"]>[0];

/** What the step changes, alone: all else goes on moving meanwhile. */
export function snapshotFor(step: Step, { holds, basePhase, edition, serving, stock }: RoomState): object {
  switch (step.step) {
    case "pause":
    case "resume":
      return { paused: holds.includes("operator"), recovered: holds.includes("recovered") };
    case "alarm":
      return { alarm: holds.includes("alarm") };
    case "phase":
      return { phase: basePhase };
    case "reset":
      return { edition };
    case "increment":
      return { serving };
    case "stock":
      return { stock: stock.left, sold_out: holds.includes("sold_out") };
    case "exited":
      return {};
  }
}

/** Null where there is none: visitors may have entered by it, or places are void. */
export function inverseOfStep(room: string, step: Step, before: RoomState): Inverse | null {
  const to = (name: string, body: object | null = null): Inverse => ({
    method: "POST",
    path: `/rooms/${room}/${name}`,
    body,
  });
  switch (step.step) {
    case "pause":
      return to("resume");
    case "resume":
      return before.holds.includes("recovered") ? null : to("pause");
    case "alarm":
      return to("alarm", { set: !step.isSet });
    case "phase":
      // Entries have been drawn by then.
      if (before.basePhase === "prequeue") return null;
      return to(before.basePhase === "ended" ? "end" : before.basePhase);
    case "stock":
      return { method: "PUT", path: `/rooms/${room}/stock`, body: { remaining: before.stock.left } };
    default:
      return null;
  }
}

/** A sentence for a step that turns people away or lets them all in; null for any other, and where it would change nothing. */
export function dangerOf(step: Step, state: RoomState): string | null {
  const waiting = peopleWaiting(state);
  const people = waiting === 1 ? "1 person" : `${waiting.toLocaleString("en")} people`;
  if (step.step === "reset") return `${people} would lose their places, and have to join anew`;
  if (step.step !== "phase" || step.phase === state.basePhase) return null;
  if (step.phase === "ended") return `${people} would be turned away`;
  return step.phase === "passthrough"
    ? `${people} would be let in at once, and so would all who arrive later, past any limit`
    : null;
}
