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

/**
 * Runs a task again and again, never twice at the same time.
 *
 * @param task answers after how many milliseconds it wants to run again
 * @returns ends it, and waits for what is under way
 */
export function repeat(timers: Timers, firstMs: number, task: () => Promise<number>): () => Promise<void> {
  let isStopped = false;
  let cancel = () => {};
  let underWay: Promise<void> = Promise.resolve();
  const schedule = (delayMs: number): void => {
    if (isStopped) return;
    cancel = timers.after(delayMs, () => {
      underWay = task().then(schedule);
    });
  };
  schedule(firstMs);
  return () => {
    isStopped = true;
    cancel();
    return underWay;
  };
}
