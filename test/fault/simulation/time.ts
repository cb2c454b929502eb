import { createMovedClock, type MovedClock } from "../../support/moved-clock.ts";

/**
 * Three times of a simulation, in milliseconds. `nowMs`: what events are planned by; it stands still while everything
 * sleeps. `stopwatchMs`: what passes for an outside observer; never set. `wall`: the clock of every machine, which may be
 * wrong.
 */
export interface SimulatedTime {
  readonly nowMs: number;
  readonly stopwatchMs: number;
  readonly wall: MovedClock;
  /** How often the wall clock was set forward within the last so many milliseconds of the stopwatch. */
  forwardSteps(withinMs: number): number;
  /** How often everything slept. */
  readonly sleeps: number;
  advanceTo(nowMs: number): void;
  /** Sets the wall clock. */
  step(ms: number): void;
  /** Nobody does anything for so long. */
  sleep(ms: number): void;
}

export function createSimulatedTime(): SimulatedTime {
  const wall = createMovedClock();
  const steps: number[] = [];
  let nowMs = 0;
  let sleptMs = 0;
  let sleeps = 0;
  return {
    wall,
    get nowMs() {
      return nowMs;
    },
    get stopwatchMs() {
      return nowMs + sleptMs;
    },
    get sleeps() {
      return sleeps;
    },
    forwardSteps(withinMs) {
      if (steps.length === 0) return 0;
      return steps.filter((atMs) => atMs > nowMs + sleptMs - withinMs).length;
    },
    advanceTo(toMs) {
      wall.advance(toMs - nowMs);
      nowMs = toMs;
    },
    step(ms) {
      if (ms > 0) steps.push(nowMs + sleptMs);
      wall.advance(ms);
    },
    sleep(ms) {
      sleptMs += ms;
      sleeps++;
      wall.advance(ms);
    },
  };
}
