/**
 * Refreshes for callers that need to see a recent change. Concurrent callers share one refresh, which begins after they
 * asked.
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
    // A refresh under way may have begun before the change that the caller wants to see. Its error goes to the callers
    // that asked for it.
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
