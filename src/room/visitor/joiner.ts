import type { JoinRange } from "../../store/contract/room-store.ts";

/** A range holds at most so many positions. */
const maxBatch = 10_000;

export interface JoinedPlace {
  readonly edition: number;
  readonly position: number;
  readonly joinedMs: number;
}

/** A place, or why there is none. */
export type JoinAnswer = JoinedPlace | NonNullable<JoinRange["refusal"]>;

interface Waiting {
  resolve(answer: JoinAnswer): void;
  reject(error: unknown): void;
}

/**
 * Gathers joins into ranges: those of the same turn of the event loop, and those that come while a range is under way,
 * go together. So store work grows with time, not with arrivals, and earlier joins get lower positions.
 */
export class Joiner {
  readonly #take: (count: number) => Promise<JoinRange>;
  #waiting: Waiting[] = [];
  #isUnderWay = false;

  /** @param take takes consecutive positions from the store. */
  constructor(take: (count: number) => Promise<JoinRange>) {
    this.#take = take;
  }

  /** @throws what `take` throws, to everyone of the batch: whether the range was taken is then unknown, and nobody holds it. */
  join(): Promise<JoinAnswer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      if (this.#isUnderWay) return;
      this.#isUnderWay = true;
      setImmediate(() => void this.#run());
    });
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, maxBatch);
      try {
        const { edition, first, last, refusal, joinedMs } = await this.#take(batch.length);
        for (const [index, waiting] of batch.entries()) {
          const position = first + index;
          waiting.resolve(position <= last ? { edition, position, joinedMs } : (refusal ?? "full"));
        }
      } catch (error) {
        for (const waiting of batch) waiting.reject(error);
      }
    }
    this.#isUnderWay = false;
  }
}
