import { AsyncLocalStorage } from "node:async_hooks";

/** The time of this process. Passed in, so that tests can move it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

const systemNow = Date.now;

export const systemClock: Clock = { now: () => systemNow() };

/** Milliseconds since the machine started, as far as the system counts them: they go on over the end of a process, and are never set. */
export const systemUptimeMs = (): number => Number(process.hrtime.bigint() / 1_000_000n);

const clocks = new AsyncLocalStorage<Clock>();

/**
 * Runs a library that asks `Date.now` and takes no clock: it gets this clock's time, also in its timers. All other code
 * is unaffected.
 */
export function runByClock<T>(clock: Clock, work: () => T): T {
  Date.now = nowOfContext;
  return clocks.run(clock, work);
}

function nowOfContext(): number {
  const clock = clocks.getStore();
  // A clock that asks Date.now itself means the system's.
  return clock === undefined ? systemNow() : Math.floor(clocks.run(undefined as unknown as Clock, () => clock.now()));
}
