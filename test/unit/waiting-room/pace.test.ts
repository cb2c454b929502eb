import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RoomState } from "../../../src/store/room-store.ts";
import { estimateWait } from "../../../src/waiting-room/estimate.ts";
import { paceOf } from "../../../src/waiting-room/pace.ts";
import { createSharedWorld, manualSettings } from "./processes.ts";

async function stateOf(inlet: Partial<RoomState["settings"]["effective"]["inlet"]>): Promise<RoomState> {
  const world = createSharedWorld("pace");
  const settings = { ...manualSettings, inlet: { ...manualSettings.inlet, ...inlet } };
  const one = world.process("one", { isNewInstallation: true, settings });
  await one.refresh();
  const { state } = one.room;
  if (state === null) throw new Error("no state");
  return state;
}

const periodic = await stateOf({ type: "periodic", outflowPerMinute: 600 });
const manual = await stateOf({});
const maxActive = await stateOf({ type: "max_active", maxActive: 400 });
const measured = (state: RoomState, served: number, entered: number, spanMs = 180_000): RoomState => ({
  ...state,
  progress: { spanMs, served, entered },
});

describe("the pace of the line", () => {
  test("is the limit where one binds, before anything was measured", () => {
    expect(paceOf(periodic)).toEqual({ placesPerMinute: 600, spread: 0.1, extraSec: 0, note: null });
    expect(estimateWait(periodic, 5_999)).toEqual({ low: 540, high: 660 });
  });

  test("is faster by the no-shows and slower by those who come late", () => {
    const half = paceOf(measured(periodic, 3_600, 1_800));
    expect(half.placesPerMinute).toBeGreaterThan(1_150);
    expect(half.placesPerMinute).toBeLessThanOrEqual(1_200);
    // More entered than were served meanwhile: people from before took outflow.
    expect(paceOf(measured(periodic, 1_800, 1_900)).placesPerMinute).toBeCloseTo(600, -1);
  });

  test("says so where the line is slower than the limit allows", () => {
    const slow = paceOf(measured(periodic, 600, 600));
    expect(slow.note).toBe("slower");
    expect(slow.placesPerMinute).toBeCloseTo(200, 0);
    expect(slow.spread).toBe(0.35);
  });

  test("is what was measured where an operator moves the line, and unknown before", () => {
    expect(paceOf(manual).placesPerMinute).toBeNull();
    expect(estimateWait(manual, 10)).toBeNull();
    expect(paceOf(measured(manual, 300, 100)).placesPerMinute).toBe(100);
  });

  test("follows from the capacity before anything was measured, and then from the measure", () => {
    // 400 admissions of 20 minutes: 20 a minute.
    expect(paceOf(maxActive)).toMatchObject({ placesPerMinute: 20, spread: 0.35 });
    expect(paceOf(measured(maxActive, 240, 120)).placesPerMinute).toBe(80);
  });

  test("gives a changed limit as the reason for a minute", () => {
    const changed = { ...periodic, limitChangedMs: periodic.flowMs };
    expect(paceOf(changed).note).toBe("limit_changed");
    expect(paceOf({ ...changed, flowMs: changed.flowMs + 60_000 }).note).toBeNull();
  });

  test("adds the hold after a recovery, and an inlet that starts later", () => {
    expect(paceOf({ ...periodic, holdRemainingMs: 42_000 }).extraSec).toBe(42);
    const inlet = { ...periodic.settings.effective.inlet, startsAtMs: periodic.nowMs + 600_000 };
    const settings = { ...periodic.settings, effective: { ...periodic.settings.effective, inlet } };
    expect(paceOf({ ...periodic, settings }).extraSec).toBe(600);
    expect(estimateWait({ ...periodic, settings }, 0)?.low).toBeGreaterThanOrEqual(540);
  });

  test("is not told of a room that is not open", () => {
    expect(estimateWait({ ...periodic, phase: "paused" }, 10)).toBeNull();
    expect(estimateWait({ ...periodic, phase: "prequeue" }, 10)).toBeNull();
  });

  test("does not jump without a reason: ten seconds more of measure never halve or double it", () => {
    const bucket = fc.record({
      served: fc.integer({ min: 0, max: 300 }),
      share: fc.double({ min: 0.1, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(bucket, { minLength: 18, maxLength: 18 }), bucket, (history, next) => {
        const sum = (buckets: { served: number; share: number }[]) => {
          const served = buckets.reduce((total, b) => total + b.served, 0);
          const entered = buckets.reduce((total, b) => total + Math.round(b.served * b.share), 0);
          return paceOf(measured(periodic, served, entered));
        };
        const before = sum(history);
        const after = sum([...history.slice(1), next]);
        if (before.note !== after.note || before.note === "slower") return;
        const ratio = (after.placesPerMinute ?? 0) / (before.placesPerMinute ?? 1);
        expect(ratio).toBeGreaterThan(0.5);
        expect(ratio).toBeLessThan(2);
      }),
    );
  });
});
