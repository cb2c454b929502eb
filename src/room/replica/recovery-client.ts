import { StoreUnavailableError, UsherError } from "../../lib/errors.ts";
import type {
  Contribution,
  Outcome,
  RoomMemory,
  RoomStore,
  Seen,
  SeenIncarnation,
} from "../../store/contract/room-store.ts";
import type { RoomReplica } from "./room-replica.ts";

/** An operation is tried again so often after `recover`; more means that incarnations end faster than we learn of them. */
const maxAttempts = 3;

/** The room is being recovered after a loss in the store: no positions, no claims, for a moment. */
export class RoomRecoveringError extends UsherError {
  override name = "RoomRecoveringError";
  readonly remainingMs: number;

  constructor(remainingMs: number) {
    super("room_recovering", "the room is being recovered; try again in a moment", {
      retryAfterSec: Math.max(1, Math.ceil(remainingMs / 1_000)),
    });
    this.remainingMs = remainingMs;
  }
}

export type RecoveryClient = ReturnType<typeof createRecoveryClient>;

/**
 * Carries a room's operations to the store under the incarnation that this process knows, and joins recovery with
 * what it remembers when that incarnation has ended.
 */
export function createRecoveryClient(
  store: () => RoomStore,
  replica: RoomReplica,
  contribution: Omit<Contribution, "memory" | "seen">,
) {
  let current: string | null = null;
  let contributing: Promise<void> | null = null;
  const send = (memory: RoomMemory | null, seen: Seen | null) => store().contribute({ ...contribution, seen, memory });

  /** With what this process has seen of it: the store finds out by it that its data was put back. */
  const lastSeen = (): SeenIncarnation => (replica.seen?.incarnation === current ? replica.seen : current);

  /** Offers what this process remembers, unless it was merely restarted: then its checkpoints are of the incarnation that goes on. */
  async function contribute(): Promise<void> {
    const { seen, seenBeforeRestart, hasMemory } = replica;
    let goingOn: string | null = null;
    if (current === null && hasMemory) {
      const { incarnation, remainingMs } = await send(null, seenBeforeRestart);
      if (remainingMs === 0) goingOn = incarnation;
    }
    const isResumed = goingOn !== null && goingOn === seenBeforeRestart?.incarnation;
    current = isResumed ? goingOn : await offerAll(replica.recall(goingOn), seen);
  }

  /** Answers the incarnation in which all of it is known. */
  async function offerAll(memories: readonly RoomMemory[], seen: Seen | null): Promise<string> {
    const { incarnation } = await send(memories[0] ?? null, seen);
    let last = incarnation;
    for (const memory of memories.slice(1)) last = (await send(memory, seen)).incarnation;
    // One of several may have begun the recovery that those before it belong to.
    return last === incarnation ? last : offerAll(memories, seen);
  }

  return {
    /** The incarnation that operations are carried out under; null before the first. */
    get incarnation(): string | null {
      return current;
    },

    /**
     * @throws RoomRecoveringError when the room is in recovery
     * @throws StoreUnavailableError when the store does not answer; whether the operation took place is unknown
     */
    async run<T>(operation: (incarnation: SeenIncarnation) => Promise<Outcome<T>>): Promise<T> {
      for (let attempt = 0; attempt < maxAttempts; attempt++) {
        const outcome = await operation(lastSeen());
        if (outcome.result === "ok") return outcome.value;
        if (outcome.result === "recovering") throw new RoomRecoveringError(outcome.remainingMs);
        // Operations that fail together learn together.
        contributing ??= contribute().finally(() => {
          contributing = null;
        });
        await contributing;
      }
      throw new StoreUnavailableError(new Error("the store lost the room again and again"));
    },

    /** Offers what one ticket proves about the room. */
    async offer(memory: RoomMemory): Promise<void> {
      current = (await send(memory, null)).incarnation;
    },
  };
}
