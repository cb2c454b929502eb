import { Counter, Gauge } from "prom-client";
import { expect, test } from "vitest";
import { addPushMetrics, createPushCounts } from "../../../../src/features/push/metrics.ts";
import type { WaitingRooms } from "../../../../src/room/index.ts";

const roomOf = (id: string, push: boolean) => ({
  id,
  state: { settings: { effective: { push } } },
  pushes: { subscriptionCount: 7 },
});

test("what became of notifications is counted by room and stage, of rooms that there are; and who is to be notified, where anybody is", () => {
  const all = [roomOf("shop", true), roomOf("quiet", false)];
  const removed = new Set(["removed"]);
  const counts = createPushCounts((room) => !removed.has(room));
  const visitor = { room: "shop", sub: "a" };
  const failure = { event: "push.failed", attempt: 1, isOver: false, reason: "503" } as const;
  counts.add({ ...visitor, event: "push.sent", stage: "near" });
  counts.add({ ...visitor, event: "push.sent", stage: "near" });
  counts.add({ ...visitor, event: "push.sent", stage: "turn" });
  counts.add({ ...visitor, event: "push.gone", stage: "turn" });
  counts.add({ ...visitor, ...failure, stage: "near" });
  counts.add({ ...visitor, room: "removed", event: "push.sent", stage: "near" });
  const rooms = { all } as unknown as WaitingRooms;
  const found: unknown[] = [];
  addPushMetrics((Kind, name, _help, _labels, samples) => found.push([Kind, name, samples()]), { rooms, counts });
  const near = { room: "shop", stage: "near" };
  expect(found).toEqual([
    [
      Counter,
      "usher_push_sent_total",
      [
        [near, 2],
        [{ room: "shop", stage: "turn" }, 1],
      ],
    ],
    [Counter, "usher_push_gone_total", [[{ room: "shop" }, 1]]],
    [Counter, "usher_push_failures_total", [[near, 1]]],
    [Gauge, "usher_push_subscriptions", [[{ room: "shop" }, 7]]],
  ]);
  // A room that is made anew under the same id begins at nothing.
  removed.clear();
  expect(counts.all.filter(({ outcome }) => outcome.room === "removed")).toEqual([]);
});
