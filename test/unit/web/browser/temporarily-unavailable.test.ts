import { expect, test } from "vitest";
import { joinSlotMs } from "../../../../src/room/replica/synced-room.ts";
import {
  canJoin,
  firstQuestionMs,
  unavailablePauseMsMax,
  unavailablePollMs,
} from "../../../../src/web/browser/temporarily-unavailable.ts";

const often = (what: () => number) => Array.from({ length: 500 }, what);

test("places are given while the store is there, unless an operator has to look at the room first", () => {
  expect(canJoin({ availability: "ready", phase_reason: null })).toBe(true);
  expect(canJoin({ availability: "ready", phase_reason: "operator" })).toBe(true);
  expect(canJoin({ availability: "away", phase_reason: null })).toBe(false);
  expect(canJoin({ availability: "recovering", phase_reason: null })).toBe(false);
  expect(canJoin({ availability: "ready", phase_reason: "recovered" })).toBe(false);
});

test("a page comes at the time that it was told, hardly later and never sooner", () => {
  for (const retryMs of [1_000, 2_000, 14_700]) {
    expect(Math.min(...often(() => firstQuestionMs(retryMs)))).toBeGreaterThanOrEqual(retryMs);
    expect(Math.max(...often(() => firstQuestionMs(retryMs)))).toBeLessThanOrEqual(retryMs + 500);
  }
  expect(firstQuestionMs(0)).toBeGreaterThanOrEqual(1_000);
});

test("a page hears that places are given again before the first of them is, and not at the same instant as the others", () => {
  const firstMs = joinSlotMs({ sinceMs: 0, untilMs: 60_000, wasForeseen: false }, 0) - 60_000;
  const pauses = often(unavailablePollMs);
  expect(Math.max(...pauses)).toBeLessThan(firstMs);
  expect(Math.max(...pauses) - Math.min(...pauses)).toBeGreaterThan(1_500);
  expect(unavailablePauseMsMax).toBeLessThanOrEqual(firstMs);
  // Where pages were told when it is over, they ask soon after it.
  const recovery = { sinceMs: 0, untilMs: 2_500, wasForeseen: true };
  for (const arrivedMs of [0, 1_000, 2_400]) {
    const askMs = arrivedMs + Math.max(...often(() => firstQuestionMs(recovery.untilMs - arrivedMs)));
    expect(askMs).toBeLessThanOrEqual(joinSlotMs(recovery, arrivedMs));
    expect(joinSlotMs(recovery, arrivedMs)).toBeLessThanOrEqual(7_000);
  }
});
