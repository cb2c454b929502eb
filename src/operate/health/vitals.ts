import { monitorEventLoopDelay } from "node:perf_hooks";
import { getHeapStatistics } from "node:v8";

export interface Vitals {
  readonly loop_delay_ms: number | null;
  readonly memory_bytes: number;
  readonly heap_share: number;
  readonly requests_per_second: number | null;
}

const resolutionMs = 20;

/** How busy this process is. @param requests answered so far */
export function createVitals(requests: () => number, stopwatch = () => performance.now()) {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  delays.enable();
  let before = { requests: 0, atMs: stopwatch() };
  return {
    /** Since the last time. */
    take(): Vitals {
      const now = { requests: requests(), atMs: stopwatch() };
      const seconds = (now.atMs - before.atMs) / 1_000;
      const answered = now.requests - before.requests;
      before = now;
      const lateMs = delays.count === 0 ? null : Math.max(0, delays.percentile(99) / 1e6 - resolutionMs);
      delays.reset();
      const { used_heap_size, heap_size_limit } = getHeapStatistics();
      return {
        loop_delay_ms: lateMs === null ? null : Math.round(lateMs * 10) / 10,
        memory_bytes: process.memoryUsage.rss(),
        heap_share: Math.round((1_000 * used_heap_size) / heap_size_limit) / 1_000,
        requests_per_second: seconds <= 0 ? null : Math.round((10 * answered) / seconds) / 10,
      };
    },
    stop: () => delays.disable(),
  };
}
