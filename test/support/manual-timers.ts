import type { After } from "../../src/lib/repeat.ts";

/** Timers that run when a test says so. */
export interface ManualTimers {
  readonly after: After;
  /** Milliseconds that the waiting ones were set to, the oldest first. */
  readonly delaysMs: readonly number[];
  /** Runs all that wait now, and waits until as many are set again: whoever repeats a task sets the next when it is done. */
  runAll(): Promise<void>;
}

export function createManualTimers(): ManualTimers {
  let waiting: { delayMs: number; run: () => void }[] = [];
  let noticeSet = () => {};
  return {
    get delaysMs() {
      return waiting.map(({ delayMs }) => delayMs);
    },
    after(delayMs, run) {
      const timer = { delayMs, run };
      waiting.push(timer);
      noticeSet();
      return () => {
        waiting = waiting.filter((each) => each !== timer);
      };
    },
    async runAll() {
      const due = waiting;
      waiting = [];
      const areSetAgain = new Promise<void>((resolve) => {
        noticeSet = () => {
          if (waiting.length >= due.length) resolve();
        };
        noticeSet();
      });
      for (const { run } of due) run();
      await areSetAgain;
    },
  };
}
