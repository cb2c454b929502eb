import { StoreUnavailableError, UsherError } from "../../lib/errors.ts";
import type {
  Contribution,
  KnownIncarnation,
  Outcome,
  RoomMemory,
  RoomSettings,
  RoomStore,
} from "../../store/contract/room-store.ts";
import type { RoomReplica } from "./room-replica.ts";

/** At most so many admissions, and moved places, go into one contribution. */
const changesPerCall = 500;
/** An operation is tried again so often after `recover`; more means that incarnations end faster than we learn of them. */
const maxAttempts = 3;

/** The room is being recovered after a loss in the store: no positions, no claims, for a moment. */
export class RoomRecoveringError extends UsherError {
  override name = "RoomRecoveringError";
  readonly remainingMs: number;

  constructor(remainingMs: number) {
    super("room_recovering", "the room is being recovered; try again in a moment", {
      status: 503,
      expose: true,
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
  readonly #store: RoomStore;
  readonly #replica: RoomReplica;
  readonly #contribution: Omit<Contribution, "memory">;
  #incarnation: string | null = null;
  #contributing: Promise<void> | null = null;

  constructor(room: string, store: RoomStore, replica: RoomReplica, file: RoomSettings, isNewRoom: boolean) {
    this.#store = store;
    this.#replica = replica;
    this.#contribution = { room, fileSettings: file, isNewRoom };
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
      await this.#contributeOnce();
    }
    throw new StoreUnavailableError(new Error("the store lost the room again and again"));
  }

  /** With what this process has seen of it: the store finds out by it that its data was put back. */
  get #known(): KnownIncarnation {
    const seen = this.#replica.seen;
    return seen?.incarnation === this.#incarnation ? seen : this.#incarnation;
  }

  /** Offers what one ticket proves about the room. */
  async offer(memory: RoomMemory): Promise<void> {
    const answer = await this.#store.contribute({ ...this.#contribution, memory });
    this.#incarnation = answer.incarnation;
  }

  /** Operations that fail together learn together. */
  #contributeOnce(): Promise<void> {
    this.#contributing ??= this.#contribute().finally(() => {
      this.#contributing = null;
    });
    return this.#contributing;
  }

  /** Offers what this process remembers, and takes over the current incarnation. */
  async #contribute(): Promise<void> {
    const incarnation = this.#incarnation === null ? await this.#askIncarnation() : null;
    if (incarnation !== null && incarnation === this.#replica.seenBeforeRestart?.incarnation) {
      this.#incarnation = incarnation;
      return;
    }
    const { seen } = this.#replica;
    const memory = this.#replica.recall(incarnation);
    const admissions = this.#replica.recallAdmissions();
    const moves = this.#replica.recallMoves();
    let offset = 0;
    do {
      const end = offset + changesPerCall;
      const part = { admissions: admissions.slice(offset, end), moves: moves.slice(offset, end) };
      const answer = await this.#store.contribute({
        ...this.#contribution,
        seen,
        memory: memory === null ? null : { ...memory, ...part },
      });
      this.#incarnation = answer.incarnation;
      offset = end;
    } while (memory !== null && offset < Math.max(admissions.length, moves.length));
  }

  /**
   * The incarnation that goes on in the store; null in a recovery. A process that was merely restarted learns here that
   * its checkpoints are of that incarnation, and has nothing to offer.
   */
  async #askIncarnation(): Promise<string | null> {
    if (this.#replica.recall(null) === null) return null;
    const seen = this.#replica.seenBeforeRestart;
    const answer = await this.#store.contribute({ ...this.#contribution, seen, memory: null });
    return answer.recovering ? null : answer.incarnation;
  }
}
