import { expect, it } from "vitest";
import { idleEndsMs } from "../../../src/store/memory/phases.ts";
import { lastScheduleTime, phaseBySchedule } from "../../../src/store/memory/schedule.ts";
import { createOpenRoom, startMs } from "./room-data.ts";

const never = { prequeueAtMs: null, opensAtMs: null, endsAtMs: null };

it("says a phase for each time, from the millisecond on", () => {
  const schedule = { prequeueAtMs: 100, opensAtMs: 200, endsAtMs: 300 };
  const at = [99, 100, 199, 200, 299, 300, 9_999].map((ms) => phaseBySchedule(schedule, ms));
  expect(at).toEqual(["idle", "prequeue", "prequeue", "open", "open", "ended", "ended"]);
  expect([99, 100, 250, 300].map((ms) => lastScheduleTime(schedule, ms))).toEqual([0, 100, 200, 300]);
});

it("is open all along without a schedule, and until an end that stands alone", () => {
  expect(phaseBySchedule(never, 1)).toBe("open");
  expect([299, 300].map((ms) => phaseBySchedule({ ...never, endsAtMs: 300 }, ms))).toEqual(["open", "ended"]);
  expect([99, 100].map((ms) => phaseBySchedule({ ...never, opensAtMs: 100 }, ms))).toEqual(["idle", "open"]);
});

it("ends the admissions of an idle phase at its next time, at the latest", () => {
  const schedule = { prequeueAtMs: startMs + 10, opensAtMs: startMs + 20, endsAtMs: startMs + 30 };
  const room = createOpenRoom({ schedule });
  const at = (ms: number) => {
    room.atMs = startMs + ms;
    return idleEndsMs(room) - startMs;
  };
  expect([0, 9, 10, 19, 20, 29].map(at)).toEqual([10, 10, 20, 20, 30, 30]);
  expect(at(30)).toBe(Number.POSITIVE_INFINITY);
});
