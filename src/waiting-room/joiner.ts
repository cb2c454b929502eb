import type { JoinRange } from "../store/room-store.ts";

/** A range holds at most so many positions. */
const maxBatch = 10_000;

interface Waiting {
  resolve(place: { edition: number; position: number; joinedMs: number }): void;
  reject(error: unknown): void;
}

/**
 * Gathers joins into ranges: those that come in the same turn of the event loop, and those that come
 * while a range is under way, go together. So store work grows with time, not with arrivals, and
 * whoever came first gets the lower position.
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
  join(): Promise<{ edition: number; position: number; joinedMs: number }> {
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
        const { edition, first, joinedMs } = await this.#take(batch.length);
        for (const [index, waiting] of batch.entries()) {
          waiting.resolve({ edition, position: first + index, joinedMs });
        }
      } catch (error) {
        for (const waiting of batch) waiting.reject(error);
      }
    }
    this.#isUnderWay = false;
  }
}
