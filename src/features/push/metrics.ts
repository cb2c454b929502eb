import { Counter, Gauge } from "prom-client";
import type { Read, Sample } from "../../operate/ops/metric.ts";
import type { WaitingRooms } from "../../room/index.ts";
import type { PushOutcome } from "./pushes.ts";

export type PushCounts = ReturnType<typeof createPushCounts>;

/** What became of this process's notifications. @param isThere whether there is a room of this id: counts of one that was removed are dropped */
export function createPushCounts(isThere: (room: string) => boolean) {
  const counts = new Map<string, { readonly outcome: Pick<PushOutcome, "event" | "room" | "stage">; count: number }>();
  return {
    add({ event, room, stage }: PushOutcome): void {
      const key = `${event} ${room} ${stage}`;
      const counted = counts.get(key) ?? { outcome: { event, room, stage }, count: 0 };
      counted.count++;
      counts.set(key, counted);
    },
    get all() {
      for (const [key, { outcome }] of counts) if (!isThere(outcome.room)) counts.delete(key);
      return [...counts.values()];
    },
  };
}

export function addPushMetrics(
  read: Read,
  { rooms, counts }: { readonly rooms: Pick<WaitingRooms, "all">; readonly counts: Pick<PushCounts, "all"> },
) {
  const samples = (event: PushOutcome["event"], labelNames: readonly ("room" | "stage")[]) => () =>
    counts.all
      .filter(({ outcome }) => outcome.event === event)
      .map(
        ({ outcome, count }): Sample => [Object.fromEntries(labelNames.map((label) => [label, outcome[label]])), count],
      );
  read(
    Counter,
    "usher_push_sent_total",
    "Notifications that push services have accepted",
    ["room", "stage"],
    samples("push.sent", ["room", "stage"]),
  );
  read(
    Counter,
    "usher_push_gone_total",
    "Subscriptions that a push service knows no more",
    ["room"],
    samples("push.gone", ["room"]),
  );
  read(
    Counter,
    "usher_push_failures_total",
    "Attempts to notify a visitor that failed",
    ["room", "stage"],
    samples("push.failed", ["room", "stage"]),
  );
  read(Gauge, "usher_push_subscriptions", "Visitors who are to be notified of their turn", ["room"], () =>
    rooms.all
      .filter(({ state }) => state?.settings.effective.push === true)
      .map(({ id, pushes }): Sample => [{ room: id }, pushes.subscriptionCount]),
  );
}
