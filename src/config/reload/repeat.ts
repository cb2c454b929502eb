import type { Timers } from "./timers.ts";

export interface Repeated {
  start(): void;
  /** Waits for what is under way. */
  stop(): Promise<void>;
}

/**
 * Runs a task again and again, never twice at the same time.
 *
 * @param task answers after how many milliseconds it wants to run again
 */
export function repeat(timers: Timers, firstDelayMs: () => number, task: () => Promise<number>): Repeated {
  let isStopped = true;
  let cancel = () => {};
  let underWay: Promise<void> = Promise.resolve();

  function schedule(delayMs: number): void {
    if (isStopped) return;
    cancel = timers.after(delayMs, () => {
      underWay = task().then(schedule);
    });
  }

  return {
    start() {
      isStopped = false;
      schedule(firstDelayMs());
    },
    async stop() {
      isStopped = true;
      cancel();
      await underWay;
    },
  };
}
