import { AggregatorRegistry } from "prom-client";
import type { Report } from "./messages.ts";

/**
 * The metrics of all workers as those of one gateway: each metric says how it is put together (`aggregator`). What a worker has counted
 * that has ended stays in the sum, as far as it had told it: a sum that fell would look like a restart of all.
 */
export function createMetricsSum<Key>() {
  const latest = new Map<Key, Report>();
  let ended: Report = [];

  const sum = (reports: readonly Report[]) => AggregatorRegistry.aggregate(reports as unknown as object[]);

  return {
    note(worker: Key, report: Report): void {
      latest.set(worker, report);
    },
    /** It has ended. */
    drop(worker: Key): void {
      const last = latest.get(worker);
      latest.delete(worker);
      if (last !== undefined) ended = sum([ended, last.filter(isCounted)]).getMetricsAsArray() as unknown as Report;
    },
    /** As `/metrics` answers it. */
    text: (): Promise<string> => sum([...latest.values(), ended]).metrics(),
  };
}

/** What only grows, and is the worker's own. */
function isCounted(metric: Report[number]): boolean {
  const type: unknown = metric.type;
  return (type === "counter" || type === "histogram") && metric.aggregator === "sum";
}
