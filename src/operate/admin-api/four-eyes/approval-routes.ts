/** Steps that wait for the word of a second person: who asked, approving, and taking them back. */
import type { Context } from "koa";
import { z } from "zod";
import { FOUR_EYES_STEPS } from "../../../config/index.ts";
import { UsherError } from "../../../lib/errors.ts";
import type { PendingStep } from "../../../registry/index.ts";
import type { RoomState, WaitingRoom } from "../../../room/index.ts";
import type { AdminRequest, AdminRoute, RoutesAbout } from "../admin-router.ts";
import { dangerOf, type Step, type StepRules, takeStep } from "../audit/carry-out.ts";
import { emptyBody, nothing, timeOrNull, timeText } from "../bodies.ts";
import { stepAnswer } from "../rooms/step-bodies.ts";
import { isStill } from "./four-eyes.ts";

const stepsOfNames = {
  end: { step: "phase", phase: "ended" },
  passthrough: { step: "phase", phase: "passthrough" },
  reset: { step: "reset" },
} as const satisfies Record<(typeof FOUR_EYES_STEPS)[number], Step>;

const approval = z
  .object({
    id: z.string(),
    step: z.enum(FOUR_EYES_STEPS),
    /** What it would do now; null where it would do nothing any more. */
    would: z.string().nullable(),
    asked_by: z.object({ kind: z.enum(["key", "person"]), id: z.string(), name: z.string().nullable() }),
    asked_at: timeText.nullable(),
    expires_at: timeText.nullable(),
    /** Whether it is the caller's, who then can withdraw it and cannot approve it. */
    own: z.boolean(),
  })
  .meta({ id: "Approval" });

const terms = { tag: "Line", role: "operator" } as const;

type OnRoom = AdminRequest<WaitingRoom, unknown, unknown>;

export function approvalRoutes(route: RoutesAbout<WaitingRoom>, { confirmations, fourEyes }: StepRules): AdminRoute[] {
  return [
    route(
      "GET",
      "/approvals",
      {
        ...terms,
        summary: "Lists the steps that wait for the word of a second person.",
        answers: z.object({ approvals: z.array(approval) }),
      },
      async ({ subject: room, principal }) => {
        await Promise.all([fourEyes.refresh(), room.refresh()]);
        return { approvals: fourEyes.pendingIn(room).map((step) => approvalJson(step, room.state, principal.id)) };
      },
    ),
    route(
      "POST",
      "/approvals/:approval/approve",
      {
        ...terms,
        summary: "Carries out a step that another person asked for.",
        body: emptyBody,
        answers: stepAnswer,
        errors: ["confirmation_required", "conflict", "too_many_requests"],
      },
      approve,
    ),
    route(
      "DELETE",
      "/approvals/:approval",
      { ...terms, summary: "Declines a step that waits, or withdraws one's own.", status: 204, answers: nothing },
      async ({ ctx, subject: room, notes }) => {
        const id = idOf(ctx);
        await fourEyes.refresh();
        const pending = fourEyes.approvals.find(room.id, id);
        notes.subject = subjectOf(pending);
        await fourEyes.approvals.take(room.id, id);
      },
    ),
  ];

  async function approve({ ctx, subject: room, principal, notes }: OnRoom) {
    const id = idOf(ctx);
    await Promise.all([fourEyes.refresh(), room.refresh()]);
    const pending = fourEyes.approvals.find(room.id, id);
    notes.subject = subjectOf(pending);
    if (fourEyes.authorOf(principal) === pending.asked_by.author) {
      throw new UsherError("forbidden", "you asked for this step yourself: another person has to approve it");
    }
    const { state } = room;
    if (state === null) throw new UsherError("store_unavailable", "try again in a moment", { retryAfterSec: 2 });
    const step = stepsOfNames[pending.step];
    const would = dangerOf(step, state);
    if (would === null || !isStill(pending, state)) {
      throw new UsherError("conflict", "the room is not as it was when this was asked for: ask anew");
    }
    await confirmations.require({ ctx, principal, room, state, step: `approve ${id}`, would, takesTwo: false });
    await fourEyes.approvals.take(room.id, id);
    return takeStep({ subject: room, principal, notes }, step, `approval ${id}`);
  }
}

function idOf(ctx: Context): string {
  return String(ctx.params.approval);
}

/** For the audit, which has two names then. */
function subjectOf({ step, asked_by: { id, name } }: PendingStep) {
  return { step, asked_by: id, ...(name !== null && { asked_by_name: name }) };
}

function approvalJson(
  { id, step, asked_by: { kind, id: requestedBy, name }, asked_ms: requestedMs, expires_ms: endMs }: PendingStep,
  state: RoomState | null,
  reader: string,
): z.output<typeof approval> {
  return {
    id,
    step,
    would: state && dangerOf(stepsOfNames[step], state),
    asked_by: { kind, id: requestedBy, name },
    asked_at: timeOrNull(requestedMs),
    expires_at: timeOrNull(endMs),
    own: requestedBy === reader,
  };
}
