import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { estimateWait, type Pace, paceJson, paceOf } from "../../../src/room/line.ts";
import { waitOf } from "../../../src/room/public-status/pacing.ts";
import type { RoomState } from "../../../src/store/contract/room-store.ts";
import { manualSettings } from "../../support/room-settings.ts";
import { createSharedWorld } from "./processes.ts";

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
const adaptive = await stateOf({ type: "adaptive", outflowPerMinute: 600 });
const manual = await stateOf({});
const maxActive = await stateOf({ type: "max_active", maxActive: 400 });
const fallen = { ...(await stateOf({ type: "adaptive", outflowPerMinute: 50_000 })), planLimitPerMinute: 1 };
const measured = (state: RoomState, served: number, entered: number, spanMs = 180_000): RoomState => ({
  ...state,
  progress: { spanMs, served, entered, endedEarly: 0 },
  enteringShare: served > 0 ? Math.min(1, entered / served) : 1,
});
const minute = 60_000;
/** As it is expected, without a range. */
const secondsFor = (pace: Pace, places: number) => waitOf({ ...paceJson(pace), spread: 0 }, places)?.[0];

describe("the pace of the line", () => {
  test("is the limit where one binds, before anything was measured", () => {
    const { placesPerMinute, steps, extraSec, note } = paceOf(periodic);
    expect({ placesPerMinute, steps, extraSec, note }).toEqual({
      placesPerMinute: 600,
      steps: [],
      extraSec: 0,
      note: null,
    });
    // How many will not come is not known yet: the lower end allows for it.
    expect(estimateWait(periodic, 5_999)).toEqual({ low: 420, high: 660 });
    expect(estimateWait(measured(periodic, 1_800, 1_800), 5_999)).toEqual({ low: 480, high: 660 });
  });

  test("is the rate in force where it adapts to the site, which is no plan to be kept", () => {
    const { settings, adaptive: begun } = adaptive;
    expect(paceOf(adaptive)).toMatchObject({ placesPerMinute: 60, spread: 0.35, note: null });
    const risen: RoomState = { ...adaptive, planLimitPerMinute: 400, settings, ...(begun && { adaptive: begun }) };
    expect(paceOf(measured(risen, 400, 400))).toMatchObject({ placesPerMinute: 320, spread: 0.35, note: null });
    expect(paceOf(measured(risen, 2_400, 1_200)).placesPerMinute).toBe(800);
    const later = { ...settings.effective.inlet, startsAtMs: adaptive.nowMs + minute };
    const waits = { ...settings, effective: { ...settings.effective, inlet: later } };
    expect(paceOf({ ...adaptive, settings: waits }).extraSec).toBe(60);
  });

  test("is faster by the no-shows and slower by visitors who come late", () => {
    expect(paceOf(measured(periodic, 3_600, 1_800)).placesPerMinute).toBe(1_200);
    expect(paceOf(measured(periodic, 3_000, 1_800)).placesPerMinute).toBeCloseTo(1_000, 5);
  });

  test("counts on no-shows at the lower end alone: the upper end is the people ahead ÷ the limit, and more", () => {
    const limit30 = { ...periodic.settings.effective.inlet, outflowPerMinute: 30 };
    const settings = { ...periodic.settings, effective: { ...periodic.settings.effective, inlet: limit30 } };
    // 48 ahead at 30 a minute, of whom lately two in three did not come.
    const absent = { ...measured(periodic, 270, 90), settings, planLimitPerMinute: 30 };
    const { low, high } = estimateWait(absent, 48) ?? { low: 0, high: 0 };
    expect(low).toBeLessThan(33);
    expect(high).toBeGreaterThanOrEqual(98);
    // Visitors who were called lately enter first if they come, whatever became of those before them.
    const called = estimateWait({ ...absent, pending: 30 }, 48);
    expect(called?.high).toBeGreaterThanOrEqual(158);
    expect(called?.low).toBe(low);
  });

  test.each([
    ["a limit", periodic],
    ["a rate that adapts", adaptive],
    ["a rate that has fallen by much", fallen],
    ["steps of an operator behind a limit", { ...manual, planLimitPerMinute: 600 }],
    ["so many at a time, and a limit", { ...maxActive, planLimitPerMinute: 60 }],
  ])("never beats the limit: %s", (_, state) => {
    fc.assert(
      fc.property(
        fc.nat(50_000),
        fc.integer({ min: 0, max: 100_000 }),
        fc.double({ min: 0.02, max: 1, noNaN: true }),
        fc.nat(180_000),
        fc.nat(300),
        (ahead, served, share, spanMs, pending) => {
          const progress = { spanMs, served, entered: Math.round(served * share), endedEarly: 0 };
          const wait = estimateWait({ ...state, progress, enteringShare: share, pending }, ahead);
          const limit = state.planLimitPerMinute ?? Number.NaN;
          if (wait === null) return;
          expect(wait.high).toBeGreaterThanOrEqual(((ahead + 1) * 60) / limit);
          expect(wait.high).toBeLessThan(Number.POSITIVE_INFINITY);
        },
      ),
    );
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

  describe("of a room that so many are in", () => {
    const lapsing = (lapses: readonly [inMin: number, count: number][], endedEarly = 0): RoomState => ({
      ...maxActive,
      liveLapses: lapses.map(([inMin, count]) => ({ untilMs: maxActive.nowMs + inMin * minute, count })),
      progress: { spanMs: 180_000, served: 0, entered: 0, endedEarly },
    });
    const waitOf = (state: RoomState, ahead: number) => Math.round((secondsFor(paceOf(state), ahead + 1) ?? -1) / 60);

    test("follows from when live admissions lapse", () => {
      // All came at once, fifteen minutes ago: for five more nobody comes in, and then everybody.
      const full = lapsing([
        [5, 1],
        [5, 399],
      ]);
      expect([0, 200, 399].map((ahead) => waitOf(full, ahead))).toEqual([5, 5, 5]);
      // Whoever is behind these waits for the next ones to leave: 20 a minute on the whole.
      expect(waitOf(full, 799)).toBe(25);
    });

    test("lets those in at once for whom there is room", () => {
      const half = lapsing([
        [10, 1],
        [10, 199],
      ]);
      expect([0, 199, 200, 399].map((ahead) => waitOf(half, ahead))).toEqual([0, 0, 10, 10]);
    });

    test("is faster by visitors who leave early", () => {
      const steady = lapsing([
        [1, 1],
        [20, 399],
      ]);
      const leaving = lapsing(
        [
          [1, 1],
          [20, 399],
        ],
        180,
      );
      expect(waitOf(steady, 199)).toBeGreaterThan(9);
      // 20 a minute lapse and 60 a minute leave.
      expect(waitOf(leaving, 199)).toBeLessThanOrEqual(4);
      expect(paceOf(leaving).placesPerMinute).toBeCloseTo(80, 0);
    });

    test("lets nobody in while more are in than may be", () => {
      const lowered = lapsing([
        [1, 1],
        [10, 399],
        [30, 200],
      ]);
      // The 201st to leave makes room for the first, and between the steps they leave evenly.
      expect(waitOf(lowered, 0)).toBeGreaterThanOrEqual(5);
      expect(waitOf(lowered, 199)).toBe(10);
    });

    test("never exceeds the limit that it also has", () => {
      const limited = { ...lapsing([[1, 400]]), planLimitPerMinute: 10 };
      expect(waitOf(limited, 99)).toBe(10);
    });
  });

  describe("after an operator has served many places at once", () => {
    // 3,000 called and 60 let in: the step itself is no progress (see the store's contract).
    const crowd = (state: RoomState, entered: number, readyToEnter: number) => ({
      ...measured(state, 0, entered, 60_000),
      readyToEnter,
    });

    test("stays the limit, and those ready to enter come in first", () => {
      const after = paceOf(crowd(periodic, 600, 3_000));
      expect(after).toMatchObject({ placesPerMinute: 600, note: null });
      expect(after.extraSec).toBeGreaterThan(260);
      expect(after.extraSec).toBeLessThanOrEqual(300);
      // What an inlet itself calls is no crowd.
      expect(paceOf({ ...periodic, readyToEnter: 90 }).extraSec).toBe(0);
    });

    test("is that of the admissions within the limit, where the line moves by hand", () => {
      const limited = { ...manual, planLimitPerMinute: 60 };
      expect(paceOf(crowd(limited, 60, 3_000))).toMatchObject({ placesPerMinute: 60 });
      expect(paceOf(crowd(limited, 60, 3_000)).extraSec).toBeGreaterThan(2_900);
      expect(paceOf(crowd(limited, 20, 0))).toMatchObject({ placesPerMinute: 20, extraSec: 0 });
      // As many come in if few of those come who are called, and the line is so much faster.
      const thin = { ...crowd(limited, 60, 0), enteringShare: 0.1 };
      expect(paceOf(thin).placesPerMinute).toBeCloseTo(600, 5);
      // Nobody enters, and nobody can know when the operator goes on.
      expect(paceOf(crowd(limited, 0, 0)).placesPerMinute).toBeNull();
    });

    test("lets them in before the others where so many may be in", () => {
      const lapses = [{ untilMs: maxActive.nowMs + 10 * minute, count: 400 }];
      const full = { ...maxActive, liveLapses: lapses };
      const waitMin = (readyToEnter: number) => (secondsFor(paceOf({ ...full, readyToEnter }), 100) ?? 0) / 60;
      expect(waitMin(0)).toBeLessThan(11);
      // 400 come in after ten minutes, and twenty a minute after that.
      expect(waitMin(800)).toBeGreaterThan(20);
    });
  });

  test("gives a changed limit as the reason for a minute", () => {
    const changed = { ...periodic, limitChangedMs: periodic.flowMs };
    expect(paceOf(changed).note).toBe("limit_changed");
    expect(paceOf({ ...changed, flowMs: changed.flowMs + 60_000 }).note).toBeNull();
  });

  test("believes a new limit at once: what was measured at the old one counts the less, the shorter ago it was changed", () => {
    // 150 a minute were measured, and 600 are planned.
    const slow = measured(periodic, 450, 450);
    const paceAt = (ms: number) => paceOf({ ...slow, limitChangedMs: 1, flowMs: 1 + ms }).placesPerMinute ?? 0;
    expect(paceAt(0)).toBeCloseTo(600, 5);
    expect(paceAt(30_000)).toBeCloseTo(600, 5);
    expect(paceAt(180_000)).toBeCloseTo(150, 5);
    expect(paceOf({ ...slow, limitChangedMs: 0 }).placesPerMinute).toBeCloseTo(150, 5);
  });

  test("adds the hold after a recovery, and an inlet that starts later", () => {
    expect(paceOf({ ...periodic, holdRemainingMs: 42_000 }).extraSec).toBe(42);
    const inlet = { ...periodic.settings.effective.inlet, startsAtMs: periodic.nowMs + 600_000 };
    const settings = { ...periodic.settings, effective: { ...periodic.settings.effective, inlet } };
    expect(paceOf({ ...periodic, settings }).extraSec).toBe(600);
    expect(estimateWait({ ...periodic, settings }, 0)?.high).toBeGreaterThanOrEqual(600);
  });

  test("is not shown where the inlet is over", () => {
    const inlet = { ...periodic.settings.effective.inlet, endsAtMs: periodic.nowMs };
    const settings = { ...periodic.settings, effective: { ...periodic.settings.effective, inlet } };
    expect(estimateWait({ ...periodic, settings }, 10)).toBeNull();
  });

  test("of a shared limit is what flows, where the others leave theirs", () => {
    const sharedOutflow = { id: "shop", outflowPerMinute: 600, weight: 1 };
    const inlet = { ...periodic.settings.effective.inlet, sharedOutflow };
    const settings = { ...periodic.settings, effective: { ...periodic.settings.effective, inlet } };
    const shared = { ...measured(periodic, 1_770, 1_770), settings, planLimitPerMinute: 300 };
    expect(paceOf(shared)).toMatchObject({ note: null, spread: 0.35 });
    expect(paceOf(shared).placesPerMinute).toBeCloseTo(590, 0);
  });

  test("is not shown of a room that is not open", () => {
    expect(estimateWait({ ...periodic, phase: "paused" }, 10)).toBeNull();
    expect(estimateWait({ ...periodic, phase: "prequeue" }, 10)).toBeNull();
  });
});
