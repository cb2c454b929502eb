import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { estimateWait } from "../../../../src/room/line.ts";
import { forecast as forecastOf } from "../../../../src/room/statistics/forecast.ts";
import type { InletSettings, RoomState } from "../../../../src/store/contract/room-store.ts";
import { manualSettings } from "../../../support/room-settings.ts";
import { createSharedWorld } from "../processes.ts";

async function stateOf(inlet: Partial<InletSettings>): Promise<RoomState> {
  const settings = { ...manualSettings, inlet: { ...manualSettings.inlet, ...inlet } };
  const one = createSharedWorld("forecast").process("one", { isNewInstallation: true, settings });
  await one.refresh();
  const { state } = one.room;
  if (state === null) throw new Error("no state");
  return state;
}

const periodic = await stateOf({ type: "periodic", outflowPerMinute: 600 });
const manual = await stateOf({});
const maxActive = await stateOf({ type: "max_active", maxActive: 400 });
const withLine = (state: RoomState, waiting: number): RoomState => ({ ...state, queued: state.serving + waiting });

/** With that many newcomers a minute: as they were lately, and the fewest and most of what is usual. */
const forecast = (state: RoomState, perMinute: number, outflow: number | null = null, usual = [perMinute, perMinute]) =>
  forecastOf(state, { perMinute, usual: [Math.min(...usual), Math.max(...usual)] }, outflow);

describe("the forecast", () => {
  test("tells of the last in line what that visitor is told", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(periodic, manual, maxActive),
        fc.integer({ min: 1, max: 1_000_000 }),
        (state, waiting) => {
          const line = withLine(state, waiting);
          expect(forecast(line, 0).waitOfLast).toEqual(estimateWait(line, waiting - 1));
          // With nobody behind them, their turn is the end of the line.
          expect(forecast(line, 0).lineEnds).toEqual(estimateWait(line, waiting - 1));
        },
      ),
    );
  });

  test("counts those who come meanwhile, and knows no end where as many come as enter", () => {
    const line = withLine(periodic, 6_000);
    const { lineEnds: alone } = forecast(line, 0);
    const { lineEnds, waitOfLast } = forecast(line, 300);
    expect(alone).toEqual({ low: 420, high: 660 });
    expect(waitOfLast).toEqual(alone);
    // Half of the pace goes to newcomers: as long again, and more so at the slow end.
    expect(lineEnds?.low).toBeGreaterThanOrEqual(600);
    expect(lineEnds?.low).toBeLessThanOrEqual(840);
    expect(lineEnds?.high).toBeGreaterThanOrEqual(1_200);
    expect(forecast(line, 590).lineEnds).toEqual({ low: expect.any(Number), high: null });
    expect(forecast(line, 900).lineEnds).toEqual({ low: null, high: null });
  });

  test("has no end where as many may come as enter, and is not known before enough is", () => {
    const line = withLine(periodic, 6_000);
    const { low, high } = forecast(line, 900, null, [0, 900]).lineEnds ?? {};
    expect({ low, high }).toEqual({ low: forecast(line, 0).lineEnds?.low, high: null });
    expect(forecast(line, 900, null, [0, 0]).arrivalsPerMinute).toBe(900);
    expect(forecastOf(line, { perMinute: 900, usual: null }).lineEnds).toBeNull();
    expect(forecastOf(line, { perMinute: 900, usual: null }).waitOfLast).not.toBeNull();
  });

  test("answers what if by the plan alone: what was measured is of another pace", () => {
    const slow: RoomState = {
      ...withLine(periodic, 6_000),
      progress: { spanMs: 180_000, served: 300, entered: 300, endedEarly: 0 },
    };
    expect(forecast(slow, 0)).toMatchObject({ note: "slower" });
    const twice = forecast(slow, 0, 1_200);
    expect(twice).toMatchObject({ admissionsPerMinute: 1_200, note: null });
    expect(twice.waitOfLast?.high).toBeLessThan(forecast(withLine(periodic, 6_000), 0).waitOfLast?.high ?? 0);
    expect(forecast(slow, 0, 600).waitOfLast).toEqual(forecast(withLine(periodic, 6_000), 0).waitOfLast);
  });

  test("is longer, never shorter, at a lower outflow or with more newcomers", () => {
    const rate = fc.integer({ min: 1, max: 5_000 });
    const line = fc.integer({ min: 1, max: 200_000 });
    fc.assert(
      fc.property(
        fc.constantFrom(periodic, manual, maxActive),
        line,
        rate,
        rate,
        fc.integer({ min: 0, max: 500 }),
        (state, waiting, a, b, arrivals) => {
          const [slower, faster] = [Math.min(a, b), Math.max(a, b)];
          const end = (outflow: number, newcomers: number) =>
            forecast(withLine(state, waiting), newcomers, outflow).lineEnds?.high ?? Number.POSITIVE_INFINITY;
          expect(end(slower, arrivals)).toBeGreaterThanOrEqual(end(faster, arrivals));
          expect(end(slower, arrivals)).toBeGreaterThanOrEqual(end(slower, 0));
        },
      ),
    );
  });

  test("of a room moved by hand is known only once it was moved, and what if it were", () => {
    expect(forecast(withLine(manual, 100), 0)).toMatchObject({
      waitOfLast: null,
      lineEnds: null,
      admissionsPerMinute: null,
    });
    expect(forecast(withLine(manual, 100), 0, 60)).toMatchObject({ admissionsPerMinute: 60 });
  });

  test("is none while the room is paused, and nobody waits for nothing", () => {
    const paused: RoomState = { ...withLine(periodic, 100), phase: "paused", phaseReason: "operator" };
    expect(forecast(paused, 5)).toMatchObject({
      waiting: 100,
      waitOfLast: null,
      lineEnds: null,
      admissionsPerMinute: null,
    });
    expect(forecast(periodic, 5)).toMatchObject({
      waiting: 0,
      waitOfLast: { low: 0, high: 0 },
      lineEnds: { low: 0, high: 0 },
    });
  });
});
