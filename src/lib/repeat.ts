/** Runs once after so many milliseconds, and keeps no process alive; the answer cancels it. Passed in, so that tests let time pass. */
export type After = (delayMs: number, run: () => void) => () => void;

export const systemAfter: After = (delayMs, run) => {
  const timer = setTimeout(run, delayMs).unref();
  return () => clearTimeout(timer);
};

/**
 * Runs a task again and again, never twice at the same time.
 *
 * @param task answers after how many milliseconds it wants to run again, and never fails
 * @returns ends it, and waits for what is under way
 */
export function repeat(firstMs: number, task: () => Promise<number>, after = systemAfter): () => Promise<void> {
  let isStopped = false;
  let cancel = () => {};
  let underWay: Promise<void> = Promise.resolve();
  const schedule = (delayMs: number): void => {
    if (isStopped) return;
    cancel = after(delayMs, () => {
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
