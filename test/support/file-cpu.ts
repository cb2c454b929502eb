/**
 * A setup file of all tests: notes how much CPU time each test file took, with all the programs that it started. Durations on
 * a busy machine say little.
 */
import { afterAll } from "vitest";
import { treeCpuMs } from "./cpu-time.ts";

declare module "vitest" {
  interface TaskMeta {
    /** Of a file: user and system time of its process, or its part of it, and of all processes below. */
    cpuMs?: number;
  }
}

/** Files may share a process, one after the other; the first has its start, too. */
const counted = globalThis as { usherTestCpuMs?: number };

// Registered before all others, so it runs after them.
// biome-ignore lint/correctness/noEmptyPattern: vitest wants a pattern here, and there is nothing to take.
afterAll(({}, file) => {
  const untilNowMs = treeCpuMs(process.pid);
  // What a browser's own processes took is lost with the browser when that is replaced.
  file.meta.cpuMs = Math.max(0, untilNowMs - (counted.usherTestCpuMs ?? 0));
  counted.usherTestCpuMs = untilNowMs;
});
