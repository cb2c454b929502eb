import { Counter } from "prom-client";
import type { Read, Sample } from "../../operate/ops/metric.ts";

export type CallCounts = ReturnType<typeof createCallCounts>;

/** What this process has answered, by call and status: both are of a few words. */
export function createCallCounts() {
  const counts = new Map<string, { readonly call: string; readonly status: string; count: number }>();
  return {
    add(call: string, status: number): void {
      const name = `${call} ${status}`;
      const counted = counts.get(name) ?? { call, status: String(status), count: 0 };
      counted.count++;
      counts.set(name, counted);
    },
    get all() {
      return [...counts.values()];
    },
  };
}

export function addHomeMetrics(
  read: Read,
  { counts, isHere }: { readonly counts: Pick<CallCounts, "all">; readonly isHere: boolean },
) {
  if (!isHere) return;
  read(
    Counter,
    "usher_aws_home_answers_total",
    "Answers of the interface of AWS's Virtual Waiting Room, by call and status",
    ["call", "status"],
    () => counts.all.map(({ call, status, count }): Sample => [{ call, status }, count]),
  );
}
