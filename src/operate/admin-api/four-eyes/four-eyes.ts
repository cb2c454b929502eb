import { type FourEyesStep, formatTime } from "../../../config/index.ts";
import { UsherError } from "../../../lib/errors.ts";
import { type Approvals, isSameRoom, type PendingStep, refreshAll } from "../../../registry/index.ts";
import type { RoomState, WaitingRoom } from "../../../room/index.ts";
import type { Principal } from "../access/principal.ts";
import type { RequestNotes } from "../audit/request-notes.ts";
import { type AuthorOptions, authorOf, identityOf } from "./author.ts";

/** Who asks for what, in the room as it is. */
export interface ApprovalRequest {
  readonly principal: Principal;
  readonly room: Pick<WaitingRoom, "id">;
  readonly state: Pick<RoomState, "edition" | "basePhase" | "phaseSinceMs">;
  readonly step: FourEyesStep;
  /** What it would do, in a sentence. */
  readonly would: string;
  readonly notes: RequestNotes;
}

export type FourEyes = ReturnType<typeof createFourEyes>;

/** The rule that some steps take the word of two people. */
export function createFourEyes(
  options: AuthorOptions & {
    /** That take the word of two people. */
    readonly steps: readonly FourEyesStep[];
    readonly approvals: Approvals;
    /** The principals and their rights. */
    readonly grants: Parameters<typeof refreshAll>[0];
  },
) {
  const { steps, approvals, grants } = options;
  return {
    approvals,
    /** Behind a load balancer, what was asked for or revoked at one process counts at another. */
    refresh: () => refreshAll([approvals, ...grants]),
    takesTwo: (step: string): boolean => steps.some((candidate) => candidate === step),
    authorOf: (principal: Principal): string => authorOf(principal, options),
    /** Those that wait in a room and would do what they were asked for. Asks no store. */
    pendingIn(room: Pick<WaitingRoom, "id" | "state">): PendingStep[] {
      return approvals.pendingIn(room.id).filter((candidate) => isStill(candidate, room.state));
    },
    /**
     * Keeps the request for a second person.
     *
     * @throws UsherError `approval_required` where it is kept; `forbidden`, `conflict`, `store_unavailable`
     */
    async ask({ principal, room, state, step, would, notes }: ApprovalRequest): Promise<never> {
      const { kind, id, name } = principal;
      const by = { kind, id, name, identity: identityOf(principal, options), author: authorOf(principal, options) };
      const { edition, basePhase, phaseSinceMs } = state;
      const outcome = await approvals.ask({ room: room.id, step, edition, basePhase, phaseSinceMs, by });
      notes.subject = { approval: outcome.id };
      const expires_at = formatTime(outcome.expires_ms);
      const how = `a second person approves it by POST /admin/rooms/${room.id}/approvals/${outcome.id}/approve`;
      throw new UsherError("approval_required", `${would}: ${how}, until ${expires_at}`, {
        members: { would, approval: outcome.id, expires_at },
      });
    },
  };
}

/** Whether the room has stayed in the edition and phase in which the step was asked for: one that has come back to it is another question. */
export function isStill(
  pending: PendingStep,
  state: Pick<RoomState, "edition" | "basePhase" | "phaseSinceMs"> | null,
): boolean {
  return state !== null && isSameRoom(pending, state);
}
