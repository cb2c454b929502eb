/** What is left before a sale, as far as it is computed. */
import { describe, expect, test } from "vitest";
import { type Facts, linesOf } from "../../../../src/operate/console/before/lines.ts";
import { texts as beforeTexts } from "../../../../src/operate/console/before/texts.ts";
import { texts as roomTexts } from "../../../../src/operate/console/room/texts.ts";
import { texts as timelineTexts } from "../../../../src/operate/console/room/timeline/texts.ts";
import { texts as roomsTexts } from "../../../../src/operate/console/rooms/texts.ts";

const nothing: Facts = { room: null, keys: null, nowMs: 0 };
const stateOf = (facts: Partial<Facts>, name: string) =>
  linesOf({ ...nothing, ...facts }).find((line) => line.name === name);

describe("the room before its sale", () => {
  const nowMs = Date.parse("2027-01-01T09:00:00Z");
  const times = { prequeue_at: "2027-01-01T09:50:00Z", opens_at: "2027-01-01T10:00:00Z" };
  const common = {
    room: "sale",
    base_phase: "idle",
    waiting: 0,
    live_admissions: 0,
    outflow_limit: 60,
    adaptive: null,
    holds: [],
    settings: {},
    settings_live: {},
    warnings: [],
    draw: null,
    ...times,
  };
  const lineOf = (name: string, changes: Partial<Record<keyof typeof common, unknown>> = {}) =>
    stateOf({ room: { answer: { ...common, ...changes } as never, atMs: nowMs }, nowMs }, name);

  test("has doors that open before it does, where the schedule says so", () => {
    expect(lineOf("schedule")).toMatchObject({ text: beforeTexts.lines.scheduleDoors, values: times });
    expect(lineOf("schedule", { prequeue_at: null })).toMatchObject({
      text: beforeTexts.lines.scheduleDone,
      values: { opens_at: times.opens_at },
    });
    expect(lineOf("schedule", { opens_at: "2026-12-01T10:00:00Z" })).toMatchObject({ state: "left" });
  });

  test("is named by its phase as everywhere, with the button that leads back", () => {
    expect(lineOf("phase", { base_phase: "open" })).toMatchObject({
      state: "left",
      named: { phase: roomsTexts.phases.open, idle: roomsTexts.phases.idle, step: roomTexts.steps.idle },
    });
  });

  test("is held by each reason, in words", () => {
    const holds = ["sold_out", "signal"];
    expect(lineOf("hold-sold_out", { holds })).toMatchObject({
      state: "left",
      named: { why: roomsTexts.reasons.sold_out },
    });
    expect(lineOf("hold-signal", { holds })).toMatchObject({ state: "left", named: { why: timelineTexts.signal } });
  });

  test("wants a reset for old places alone: not for those who have come since the doors, or are inside", () => {
    expect(lineOf("people", { waiting: 7 })).toMatchObject({ state: "left", named: { reset: roomTexts.steps.reset } });
    expect(lineOf("people", { waiting: 7, base_phase: "prequeue" })).toMatchObject({
      state: "done",
      text: beforeTexts.lines.peopleCame,
    });
    expect(lineOf("people", { live_admissions: 5 })).toMatchObject({ state: "done" });
    expect(lineOf("inside", { live_admissions: 5 })).toMatchObject({ state: "look", values: { n: 5 } });
    expect(lineOf("inside")).toBeUndefined();
  });
});

test("whoever may not see keys is not told that there are none", () => {
  expect(stateOf({}, "desk")).toMatchObject({ state: "unknown" });
});
