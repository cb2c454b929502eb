import { UsherError } from "../../../lib/errors.ts";
import type { WaitingRoom } from "../../../room/index.ts";
import type { AdminRequest } from "../admin-router.ts";
import { type Confirmable, requireConfirmation } from "./confirmation.ts";
import { dangerOf, inverseOfStep, type Step, shownBy } from "./step-notes.ts";

/**
 * Takes a step in a room, and notes for the audit what it changed and the way back.
 *
 * @throws UsherError `confirmation_required`, `conflict` where it would take back what is no more, `idempotency_key_reused`
 */
export async function carryOut(
  request: AdminRequest<WaitingRoom, unknown, unknown>,
  step: Step,
  issuerOf: (room: string) => Pick<Confirmable, "ring">,
) {
  const { ctx, subject: room, requestId, principal, notes } = request;
  if (step.step === "exited") return room.operations.step(step, requestId, principal.id);
  // A step that is decided on an older state could be carried out without asking. Where the store is away, it is not taken at all.
  await room.refresh();
  const { state: before } = room;
  if (before !== null) {
    notes.changing(shownBy(step, before));
    if (notes.undoes !== null && step.step === "resume" && before.holds.includes("recovered")) {
      throw new UsherError("conflict", "the room was paused by a recovery since: resume it yourself");
    }
    const would = dangerOf(step, before);
    const name = step.step === "phase" ? step.phase : step.step;
    const { ring } = issuerOf(room.id);
    // Its token was for the room as it was before the step.
    const earlier = would === null || requestId === null ? null : await room.operations.repeated(step, requestId);
    if (earlier !== null) return earlier;
    if (would !== null) requireConfirmation({ ctx, principal, room, state: before, step: name, would, ring });
  }
  const answer = await room.operations.step(step, requestId, principal.id);
  const { state: after } = room;
  if (before !== null && after !== null) {
    notes.changed(shownBy(step, before), shownBy(step, after), inverseOfStep(room.id, step, before));
  }
  return answer;
}
