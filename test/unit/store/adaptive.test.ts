/**
 * Goal: the inlet `adaptive` neither lets a site's latency run away nor swings between its bounds, whatever the site is like.
 * Method: the real decisions, second by second, on a site in arithmetic: visitors stay for a while and ask for pages, so that
 * the latency follows how many are in. Half of its capacity is lost, and comes back.
 */
import { describe, expect, test } from "vitest";
import { adaptRate, ratePerMinute, reportLoad } from "../../../src/core/adaptive.ts";
import { beginRoom } from "../../../src/core/recovery/recovery.ts";
import { createRoom } from "../../../src/core/room.ts";
import type { InletSettings } from "../../../src/store/contract/room-settings.ts";
import { manualSettings, withPatch } from "../../support/room-settings.ts";
import { createSeededRandom } from "../../support/seeded-random.ts";

const limit = 6_000;
const targetMs = 400;
const usualMs = 100;
/** Admissions per minute at which the site is at its target. */
const borne = 2_000;

interface Site {
  /** How long a visitor stays: so long it takes until a change of the rate shows in full. */
  readonly visitSec: number;
  /** How far each probe is off, as a fraction. */
  readonly noise: number;
  /** How long a page is read; 300 ms where nothing else is said. The longer, the more the latency changes with every visitor more. */
  readonly thinkMs?: number;
}

function run(
  { visitSec, noise, thinkMs = 300 }: Site,
  part: Partial<InletSettings>,
  phases: readonly { sec: number; capacity: number }[],
) {
  const settings = withPatch(manualSettings, {
    inlet: { type: "adaptive", outflowPerMinute: limit, latencyMs: targetMs, ...part },
  });
  const room = createRoom();
  beginRoom(room, JSON.stringify(settings), 1_000_000);
  Object.assign(room, { holds: [], version: 1, queued: 1e9 });
  const random = createSeededRandom(`adaptive ${visitSec} ${noise}`);
  // So many are in, for each second of their arrival.
  const inside: number[] = [];
  /** Pages a second at which the site is at its target when `borne` come in. */
  const pagesPerSec = ((borne / 60) * visitSec) / ((targetMs + thinkMs) / 1_000);
  let latencyMs = usualMs;
  return phases.map(({ sec, capacity }) => {
    const latencies: number[] = [];
    const rates: number[] = [];
    for (let second = 0; second < sec; second++) {
      const rate = ratePerMinute(room) ?? 0;
      rates.push(rate);
      room.adaptive.admittedNow += rate / 60;
      inside.push(rate / 60);
      if (inside.length > visitSec) inside.shift();
      const people = inside.reduce((sum, count) => sum + count, 0);
      const settledMs = Math.max(usualMs, (people * 1_000) / (capacity * pagesPerSec) - thinkMs);
      latencyMs += (settledMs - latencyMs) * Math.min(1, 1_000 / Math.max(1_000, settledMs));
      latencies.push(latencyMs);
      room.flowMs += 1_000;
      room.atMs += 1_000;
      if (second % 2 === 0) {
        const probed = latencyMs * (1 + noise * (2 * random.fraction() - 1));
        reportLoad(room, { source: "probe", latencyMs: probed });
      }
      adaptRate(room);
    }
    return { latencies, rates };
  });
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? Number.NaN;
}

describe("the inlet adaptive", () => {
  const phases = [
    { sec: 900, capacity: 1 },
    { sec: 900, capacity: 0.5 },
    { sec: 900, capacity: 1 },
  ];

  test.each<[string, Site, Partial<InletSettings>]>([
    ["that is a load for ten seconds", { visitSec: 10, noise: 0.1 }, {}],
    ["that is a load for ten seconds, by uncertain probes", { visitSec: 10, noise: 0.3 }, {}],
    ["that is a load for a minute", { visitSec: 60, noise: 0.1 }, {}],
    [
      "that is a load for a minute, decided on every six seconds",
      { visitSec: 60, noise: 0.1 },
      { decideEveryMs: 6_000 },
    ],
    ["of pages that are read for long", { visitSec: 20, noise: 0.1, thinkMs: 1_200 }, { decideEveryMs: 2_000 }],
  ])("holds a visit %s within a fifth of its target, before, after and again", (_, site, part) => {
    for (const { latencies } of run(site, part, phases)) {
      const settled = latencies.slice(400);
      expect(quantile(settled, 0.5)).toBeGreaterThanOrEqual(0.8 * targetMs);
      expect(quantile(settled, 0.5)).toBeLessThanOrEqual(1.2 * targetMs);
      expect(quantile(settled, 0.05)).toBeGreaterThanOrEqual(0.8 * targetMs);
      expect(quantile(settled, 0.95)).toBeLessThanOrEqual(1.2 * targetMs);
    }
  });

  test("does not swing between its bounds where visits are long and decisions as far apart as they should be", () => {
    const long = phases.map(({ sec, capacity }) => ({ sec: 4 * sec, capacity }));
    for (const [index, { rates }] of run({ visitSec: 300, noise: 0.1 }, { decideEveryMs: 30_000 }, long).entries()) {
      const settled = rates.slice(1_800);
      const mean = borne * (long[index]?.capacity ?? 1);
      expect(Math.min(...settled)).toBeGreaterThanOrEqual(0.75 * mean);
      expect(Math.max(...settled)).toBeLessThanOrEqual(1.25 * mean);
    }
  });

  test("comes back from a failure of the site as quickly as it rose at first", () => {
    const [before, , after] = run({ visitSec: 20, noise: 0.1 }, { decideEveryMs: 2_000 }, [
      { sec: 600, capacity: 1 },
      { sec: 120, capacity: 0.02 },
      { sec: 600, capacity: 1 },
    ]).map(({ rates }) => rates.findIndex((rate) => rate >= 0.8 * borne));
    expect(before).toBeGreaterThan(10);
    expect(after).toBeLessThan(2 * (before ?? 0));
    expect(after).toBeGreaterThan(0);
  });

  test("stays within floor and limit, whatever it hears", () => {
    const [{ rates } = { rates: [] }] = run({ visitSec: 60, noise: 5 }, { floorPerMinute: 300, decideEveryMs: 1_000 }, [
      { sec: 1_200, capacity: 0.1 },
    ]);
    expect(Math.min(...rates)).toBe(300);
    const [{ rates: free } = { rates: [] }] = run({ visitSec: 1, noise: 0.1 }, {}, [{ sec: 1_200, capacity: 100 }]);
    expect(Math.max(...free)).toBe(limit);
  });
});
