import { StoreUnavailableError, UsherError } from "../../lib/errors.ts";
import type {
  Contribution,
  KnownIncarnation,
  Outcome,
  RoomMemory,
  RoomStore,
  Seen,
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

/**
 * Carries a room's operations to the store under the incarnation that this process knows, and joins recovery with
 * what it remembers when that incarnation has ended.
 */
export class RecoveryClient {
  readonly #store: () => RoomStore;
  readonly #replica: RoomReplica;
  readonly #contribution: Omit<Contribution, "memory">;
  #incarnation: string | null = null;
  #contributing: Promise<void> | null = null;

  constructor(store: () => RoomStore, replica: RoomReplica, contribution: Omit<Contribution, "memory" | "seen">) {
    this.#store = store;
    this.#replica = replica;
    this.#contribution = contribution;
  }

  /** The incarnation that operations are carried out under; null before the first. */
  get incarnation(): string | null {
    return this.#incarnation;
  }

  /**
   * @throws RoomRecoveringError when the room is in recovery
   * @throws StoreUnavailableError when the store does not answer; whether the operation took place is unknown
   */
  async run<T>(operation: (incarnation: KnownIncarnation) => Promise<Outcome<T>>): Promise<T> {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const outcome = await operation(this.#known);
      if (outcome.result === "ok") return outcome.value;
      if (outcome.result === "recovering") throw new RoomRecoveringError(outcome.remainingMs);
      // Operations that fail together learn together.
      this.#contributing ??= this.#contribute().finally(() => {
        this.#contributing = null;
      });
      await this.#contributing;
    }
    throw new StoreUnavailableError(new Error("the store lost the room again and again"));
  }

  /** With what this process has seen of it: the store finds out by it that its data was put back. */
  get #known(): KnownIncarnation {
    const { seen } = this.#replica;
    return seen?.incarnation === this.#incarnation ? seen : this.#incarnation;
  }

  /** Offers what one ticket proves about the room. */
  async offer(memory: RoomMemory): Promise<void> {
    this.#incarnation = (await this.#send(memory, null)).incarnation;
  }

  /** Offers what this process remembers, unless it was merely restarted: then its checkpoints are of the incarnation that goes on. */
  async #contribute(): Promise<void> {
    const { seen, seenBeforeRestart, hasMemory } = this.#replica;
    let current: string | null = null;
    if (this.#incarnation === null && hasMemory) {
      const { incarnation, remainingMs } = await this.#send(null, seenBeforeRestart);
      if (remainingMs === 0) current = incarnation;
    }
    const isKnown = current !== null && current === seenBeforeRestart?.incarnation;
    this.#incarnation = isKnown ? current : await this.#offerAll(this.#replica.recall(current), seen);
  }

  /** Answers the incarnation in which all of it is known. */
  async #offerAll(memories: readonly RoomMemory[], seen: Seen | null): Promise<string> {
    const { incarnation } = await this.#send(memories[0] ?? null, seen);
    let last = incarnation;
    for (const memory of memories.slice(1)) last = (await this.#send(memory, seen)).incarnation;
    // One of several may have begun the recovery that those before it belong to.
    return last === incarnation ? last : this.#offerAll(memories, seen);
  }

  #send(memory: RoomMemory | null, seen: Seen | null) {
    return this.#store().contribute({ ...this.#contribution, seen, memory });
  }
}
