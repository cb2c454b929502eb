import { expect, it } from "vitest";
import { busEventsOf } from "../../../../src/features/aws-home/event-details.ts";
import { usualTerms, writeLogin } from "../../../../src/features/aws-home/home.ts";
import type { WaitingRoom } from "../../../../src/room/index.ts";
import type { EventFigures, RoomEvent } from "../../../../src/store/contract/room-events.ts";

const id = "00000000-0000-4000-8000-000000000000";
const figures: EventFigures = {
  edition: 1,
  phase: "open",
  queued: 90,
  serving: 40,
  waiting: 50,
  readyToEnter: 0,
  absent: 0,
  liveAdmissions: 7,
  outflowPerMinute: 10,
  limitPerMinute: 10,
  joined: 90,
  entered: 30,
  passed: 2,
  bypassed: 1,
  noShows: 0,
  left: 0,
};
const common = { seq: 1, id: "e", atMs: 0 };
const roomOf = (type: string, logins: readonly string[] = [], isCached = true) =>
  ({
    settings: { inlet: { type } },
    state: { counts: { completed: 5, abandoned: 4 } },
    admissions: {
      cached: () => (isCached ? { admission: { logins } } : null),
      find: async () => ({ logins }),
    },
  }) as unknown as WaitingRoom;
const metrics = {
  type: "waiting_room_metrics",
  detail: {
    event_id: "Sample",
    num_active_tokens: 7,
    total_num_tokens: "33",
    queue_counter: "90",
    serving_number: "40",
    completed_sessions: "5",
    abandoned_sessions: "4",
  },
};
const ofFigures = { ...common, kind: "figures", figures } as RoomEvent;

it.each([
  ["periodic", undefined, false],
  ["periodic", { ...figures, serving: 40 }, false],
  ["periodic", { ...figures, serving: 10, edition: 0 }, false],
  ["manual", { ...figures, serving: 10 }, false],
  ["periodic", { ...figures, serving: 10 }, true],
] as const)("tells each minute the figures, and of %s what was served since %j: %s", async (type, before, isTold) => {
  const increment = {
    type: "automatic_serving_counter_incr",
    detail: { previous_serving_counter_position: 10, increment_by: 30, current_serving_counter_position: 40 },
  };
  expect(await busEventsOf(roomOf(type), "Sample", ofFigures, before)).toEqual(
    isTold ? [increment, metrics] : [metrics],
  );
});

it.each([true, false])("tells of admissions by the request id, cached: %s", async (isCached) => {
  const room = roomOf("manual", ["hash:client", writeLogin(id, usualTerms)], isCached);
  const admission = {
    ...common,
    kind: "admission",
    sub: "tickets.x",
    edition: 1,
    position: 1,
    via: "queue",
  } as RoomEvent;
  expect(await busEventsOf(room, "Sample", admission, undefined)).toEqual([
    { type: "token_generated", detail: { event_id: "Sample", request_id: id } },
  ]);
  const other = roomOf("manual", ["hash:client"], isCached);
  expect(await busEventsOf(other, "Sample", admission, undefined)).toEqual([]);
});

it.each([
  ["completed", 1],
  ["abandoned", 1],
  ["expired", 0],
  ["logout", 0],
  ["revoked", 0],
])("tells of an end as %s: %d events", async (end, count) => {
  const room = roomOf("manual", [writeLogin(id, usualTerms)]);
  const ended = { ...common, kind: "admission_ended", sub: "tickets.x", end } as RoomEvent;
  expect(await busEventsOf(room, "Sample", ended, undefined)).toHaveLength(count);
});
