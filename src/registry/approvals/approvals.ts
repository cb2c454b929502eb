import type { FourEyesStep } from "../../config/index.ts";
import type { Clock, Random } from "../../lib/clock-and-random.ts";
import { UsherError } from "../../lib/errors.ts";
import { conflict } from "../refusals.ts";
import { createRegistry, type RegistryOptions } from "../registry.ts";
import { type ApprovalsContent, approvalsContent, type RegisteredStep } from "./content.ts";

/** The document's name in the store. */
export const approvalsName = "approvals";

const validMs = 10 * 60_000;
/** In all rooms together: one of each kind in a room. */
const pendingMax = 300;
const idBytes = 9;

export interface PendingStep extends RegisteredStep {
  readonly id: string;
}

/** What is asked for, by whom, and of which room. */
export interface StepRequest {
  readonly room: string;
  readonly step: FourEyesStep;
  readonly edition: number;
  readonly basePhase: string;
  readonly phaseSinceMs: number;
  readonly by: RegisteredStep["asked_by"];
}

export type Approvals = ReturnType<typeof createApprovals>;

/** Steps that somebody asked for and that wait, for ten minutes, for the word of a second person; alike in all processes. */
export function createApprovals(
  options: Omit<RegistryOptions<ApprovalsContent>, "kind" | "name"> & {
    /** The store's. */
    readonly clock: Clock;
    readonly random: Random;
    /** Whether who asked for it may still take such a step: else the request is over. */
    readonly isRightful: (step: RegisteredStep) => boolean;
  },
) {
  const { clock, random, isRightful } = options;
  const registry = createRegistry({ ...options, kind: approvalsContent, name: approvalsName });

  return {
    registry,
    /** Of a room, oldest first. Asks no store. */
    pendingIn(room: string): PendingStep[] {
      return inForce(registry.content)
        .filter(([, entry]) => entry.room === room)
        .map(([id, entry]) => ({ id, ...entry }))
        .toSorted((a, b) => a.asked_ms - b.asked_ms);
    },
    /**
     * Keeps a request. Who asks again for what waits already gets that one; one that was for the room as it was is replaced.
     *
     * @throws UsherError `conflict` where another has asked for the same, or too many wait; `store_unavailable`
     */
    async ask({ room, step, by, ...state }: StepRequest): Promise<PendingStep> {
      const id = random.bytes(idBytes).toString("base64url");
      const outcome: { pending?: PendingStep } = {};
      await registry.update((content) => {
        const nowMs = Math.floor(clock.now());
        const pending = inForce(content);
        const same = pending.find(([, entry]) => entry.room === room && entry.step === step);
        if (same !== undefined && isSameRoom(same[1], state)) {
          const [earlier, waiting] = same;
          if (waiting.asked_by.author !== by.author) {
            const who = waiting.asked_by.name ?? waiting.asked_by.id;
            throw conflict(`${who} has asked for the same, and waits for a second person: approve that (${earlier})`);
          }
          outcome.pending = { id: earlier, ...waiting };
          return content;
        }
        const others = pending.filter((entry) => entry !== same);
        if (others.length >= pendingMax) throw conflict(`${pendingMax} steps wait for a second person: decline some`);
        const times = { asked_ms: nowMs, expires_ms: nowMs + validMs };
        const { edition, basePhase, phaseSinceMs } = state;
        const was = { edition, base_phase: basePhase, phase_since_ms: phaseSinceMs };
        const request: RegisteredStep = { room, step, ...was, asked_by: by, ...times };
        outcome.pending = { id, ...request };
        return { ...content, pending: Object.fromEntries([...others, [id, request]]) };
      });
      if (outcome.pending === undefined) throw new TypeError("a request was neither kept nor refused");
      return outcome.pending;
    },
    /** @throws UsherError `not_found` for one that was approved, declined or withdrawn, or has expired. Asks no store. */
    find(room: string, id: string): PendingStep {
      return { id, ...found(registry.content, room, id) };
    },
    /** Takes a request away, once: of any number of calls at once, at all processes, one succeeds. @throws UsherError `not_found`, `store_unavailable` */
    async take(room: string, id: string): Promise<void> {
      await registry.update((content) => {
        found(content, room, id);
        const others = inForce(content).filter(([otherId]) => otherId !== id);
        return { ...content, pending: Object.fromEntries(others) };
      });
    },
  };

  function found(content: ApprovalsContent, room: string, id: string): RegisteredStep {
    const [, step] = inForce(content).find(([otherId]) => otherId === id) ?? [];
    if (step?.room === room) return step;
    const message =
      "no such step waits here: it was approved, declined or withdrawn, ten minutes have passed, or who asked for it lost the right to";
    throw new UsherError("not_found", message);
  }

  function inForce({ pending }: ApprovalsContent): [string, RegisteredStep][] {
    const nowMs = clock.now();
    return Object.entries(pending).filter(([, step]) => nowMs < step.expires_ms && isRightful(step));
  }
}

/** Whether a room has stayed in the edition and phase in which a step was asked for. */
export function isSameRoom(
  step: RegisteredStep,
  { edition, basePhase, phaseSinceMs }: Pick<StepRequest, "edition" | "basePhase" | "phaseSinceMs">,
): boolean {
  return step.edition === edition && step.base_phase === basePhase && step.phase_since_ms === phaseSinceMs;
}
