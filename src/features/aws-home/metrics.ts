import { Counter, Gauge } from "prom-client";
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
  {
    counts,
    events,
  }: {
    readonly counts: Pick<CallCounts, "all">;
    /** Those of all issuers. */
    readonly events: readonly { readonly eventId: string; readonly room: string }[];
  },
) {
  if (events.length === 0) return;
  read(
    Gauge,
    "usher_aws_home",
    "1 for each room that clients of AWS's Virtual Waiting Room come to, with their name of it",
    ["room", "event"],
    () => events.map(({ eventId, room }): Sample => [{ room, event: eventId }, 1]),
  );
  read(
    Counter,
    "usher_aws_home_answers_total",
    "Answers of the interface of AWS's Virtual Waiting Room, by call and status",
    ["call", "status"],
    () => counts.all.map(({ call, status, count }): Sample => [{ call, status }, count]),
  );
}
