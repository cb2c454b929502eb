/** Passed in, so that tests let time pass. */
export interface Timers {
  /** Runs once after so many milliseconds and keeps no process alive; the answer cancels it. */
  after(delayMs: number, run: () => void): () => void;
}

export const systemTimers: Timers = {
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs).unref();
    return () => clearTimeout(timer);
  },
};
