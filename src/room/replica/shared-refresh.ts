/**
 * Refreshes for those who need to hear of something that was done just now. Those who ask at the same time hear together:
 * of a refresh that begins after they asked.
 */
export class SharedRefresh {
  readonly #refresh: () => Promise<void>;
  /** What is under way, and what comes after it. */
  #current: Promise<void> | null = null;
  #next: Promise<void> | null = null;

  constructor(refresh: () => Promise<void>) {
    this.#refresh = refresh;
  }

  run(): Promise<void> {
    if (this.#next !== null) return this.#next;
    // What is under way may have been asked before that which the caller wants to hear of.
    // Whether that failed is told to those who asked for it.
    const before = (this.#current ?? Promise.resolve()).catch(() => {});
    const next = before.then(() => {
      this.#next = null;
      this.#current = this.#refresh().finally(() => {
        this.#current = null;
      });
      return this.#current;
    });
    this.#next = next;
    return next;
  }
}
