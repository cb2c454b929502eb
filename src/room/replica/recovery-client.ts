import { StoreUnavailableError, UsherError } from "../../lib/errors.ts";
import type {
  Contribution,
  KnownLife,
  Outcome,
  RoomMemory,
  RoomSettings,
  RoomStore,
} from "../../store/contract/room-store.ts";
import type { RoomKnowledge } from "./room-replica.ts";

/** At most so many admissions, and moved places, go into one contribution. */
const changesPerCall = 500;
/** An operation is tried again so often after `recover`; more means that lives end faster than we learn of them. */
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
 * Carries a room's operations to the store under the life that this process knows, and joins recovery with
 * what it remembers when that life has ended.
 */
export class LifeLine {
  readonly #store: RoomStore;
  readonly #knowledge: RoomKnowledge;
  readonly #contribution: Omit<Contribution, "memory">;
  #life: string | null = null;
  #contributing: Promise<void> | null = null;

  constructor(room: string, store: RoomStore, knowledge: RoomKnowledge, file: RoomSettings, isNewRoom: boolean) {
    this.#store = store;
    this.#knowledge = knowledge;
    this.#contribution = { room, fileSettings: file, isNewRoom };
  }

  /** The life that operations are carried out under; null before the first. */
  get life(): string | null {
    return this.#life;
  }

  /**
   * @throws RoomRecoveringError when the room is in recovery
   * @throws StoreUnavailableError when the store does not answer; whether the operation took place is unknown
   */
  async run<T>(operation: (life: KnownLife) => Promise<Outcome<T>>): Promise<T> {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const outcome = await operation(this.#known);
      if (outcome.result === "ok") return outcome.value;
      if (outcome.result === "recovering") throw new RoomRecoveringError(outcome.remainingMs);
      await this.#contributeOnce();
    }
    throw new StoreUnavailableError(new Error("the store lost the room again and again"));
  }

  /** With what this process has seen of it: the store finds out by it that its data was put back. */
  get #known(): KnownLife {
    const seen = this.#knowledge.seen;
    return seen?.life === this.#life ? seen : this.#life;
  }

  /** Offers what one ticket proves about the room. */
  async offer(memory: RoomMemory): Promise<void> {
    const answer = await this.#store.contribute({ ...this.#contribution, memory });
    this.#life = answer.life;
  }

  /** Operations that fail together learn together. */
  #contributeOnce(): Promise<void> {
    this.#contributing ??= this.#contribute().finally(() => {
      this.#contributing = null;
    });
    return this.#contributing;
  }

  /** Offers what this process remembers, and takes over the current life. */
  async #contribute(): Promise<void> {
    const life = this.#life === null ? await this.#askLife() : null;
    if (life !== null && life === this.#knowledge.seenBeforeRestart?.life) {
      this.#life = life;
      return;
    }
    const { seen } = this.#knowledge;
    const memory = this.#knowledge.recall(life);
    const admissions = this.#knowledge.recallAdmissions();
    const moves = this.#knowledge.recallMoves();
    let offset = 0;
    do {
      const end = offset + changesPerCall;
      const part = { admissions: admissions.slice(offset, end), moves: moves.slice(offset, end) };
      const answer = await this.#store.contribute({
        ...this.#contribution,
        seen,
        memory: memory === null ? null : { ...memory, ...part },
      });
      this.#life = answer.life;
      offset = end;
    } while (memory !== null && offset < Math.max(admissions.length, moves.length));
  }

  /**
   * The life that goes on in the store; null in a recovery. A process that was merely restarted learns here that its
   * marks are of that life, and has nothing to tell.
   */
  async #askLife(): Promise<string | null> {
    if (this.#knowledge.recall(null) === null) return null;
    const seen = this.#knowledge.seenBeforeRestart;
    const answer = await this.#store.contribute({ ...this.#contribution, seen, memory: null });
    return answer.recovering ? null : answer.life;
  }
}
