import { expect, it } from "vitest";
import { idleEndsMs, lastScheduleTime, phaseBySchedule } from "../../../src/core/phases.ts";
import type { Schedule } from "../../../src/store/contract/room-store.ts";
import { createOpenRoom, startMs } from "./room-data.ts";

function at(schedule: Partial<Schedule>, ms: number) {
  const room = createOpenRoom({ schedule });
  room.atMs = ms;
  return room;
}

const never = { prequeueAtMs: null, opensAtMs: null, endsAtMs: null };

it("says a phase for each time, from the millisecond on", () => {
  const schedule = { prequeueAtMs: 100, opensAtMs: 200, endsAtMs: 300 };
  const told = [99, 100, 199, 200, 299, 300, 9_999].map((ms) => phaseBySchedule(at(schedule, ms)));
  expect(told).toEqual(["idle", "prequeue", "prequeue", "open", "open", "ended", "ended"]);
  expect([99, 100, 250, 300].map((ms) => lastScheduleTime(at(schedule, ms)))).toEqual([0, 100, 200, 300]);
});

it("is open all along without a schedule, and until an end that stands alone", () => {
  expect(phaseBySchedule(at(never, 1))).toBe("open");
  expect([299, 300].map((ms) => phaseBySchedule(at({ ...never, endsAtMs: 300 }, ms)))).toEqual(["open", "ended"]);
  expect([99, 100].map((ms) => phaseBySchedule(at({ ...never, opensAtMs: 100 }, ms)))).toEqual(["idle", "open"]);
});

it("ends the admissions of an idle phase at its next time, at the latest", () => {
  const schedule = { prequeueAtMs: startMs + 10, opensAtMs: startMs + 20, endsAtMs: startMs + 30 };
  const room = createOpenRoom({ schedule });
  const endsAt = (ms: number) => {
    room.atMs = startMs + ms;
    const endsMs = idleEndsMs(room);
    return endsMs === null ? null : endsMs - startMs;
  };
  expect([0, 9, 10, 19, 20, 29].map(endsAt)).toEqual([10, 10, 20, 20, 30, 30]);
  expect(endsAt(30)).toBeNull();
});
