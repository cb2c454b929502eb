// Long: simulates eight minutes of a million pages.
/**
 * Goal: a million pages ask evenly, whatever happens to the line, and whoever looks comes in within one told interval of
 * being served. Method: eight minutes of them in simulated time, with the real room and the page's own functions.
 */
import { beforeAll, describe, expect, test } from "vitest";
import { type PollingFigures, simulatePolling } from "./polling.ts";

const visitors = 1_000_000;
const outflowPerMinute = 1_000;
const [opensAtMs, jumpAtMs, untilMs] = [120_000, 360_000, 480_000];
const jumpBy = 10_000;
/**
 * All but few have more than twenty minutes to go at the short end of their estimate, which is 23 at its long end: they ask every 120 s, or up to 15 % later. Of the others those ask every
 * 40 s who have ten minutes to go.
 */
const [far, middle, near] = [visitors - 23 * outflowPerMinute, 13 * outflowPerMinute, 10 * outflowPerMinute];
/** Near its turn a page asks that often, jitter left out. */
const nearIntervalMs = 11_500;
const jitterMost = 1.3;
const evenRate = far / (120 * 1.075) + middle / 40 + near / (nearIntervalMs / 1_000);
/** The status is as old as that at most, and nobody enters in the same instant as another. */
const slackMs = 300;

let figures: PollingFigures;

beforeAll(async () => {
  figures = await simulatePolling({
    seed: "crowd",
    visitors,
    inlet: { type: "periodic", outflowPerMinute },
    opensAtMs,
    stepAtMs: jumpAtMs,
    step: (room) => room.operations.step({ step: "increment", by: jumpBy }, "jump", "operator"),
    untilMs,
  });
});

/** Requests a second, between two times from the beginning. */
function rates(perSec: Uint32Array, fromMs: number, toMs: number) {
  const part = perSec.subarray(fromMs / 1_000, toMs / 1_000);
  return { mean: part.reduce((sum, count) => sum + count, 0) / part.length, peak: Math.max(...part) };
}

describe("a million waiting, at 1,000 a minute", () => {
  test.each([
    ["before the doors open", 10_000, opensAtMs - 2_000],
    ["in the minute after they open", opensAtMs - 2_000, opensAtMs + 60_000],
    ["in the minutes after that", opensAtMs + 60_000, jumpAtMs],
    ["after a jump of the counter by 10,000", jumpAtMs, untilMs],
  ])("%s the status is asked for evenly", (_, fromMs, toMs) => {
    const { mean, peak } = rates(figures.statusPerSec, fromMs, toMs);
    expect(mean).toBeGreaterThan(0.9 * evenRate);
    expect(mean).toBeLessThan(1.05 * evenRate);
    expect(peak).toBeLessThan(1.15 * evenRate);
  });

  test("those whom the jump calls come spread out over the shortest interval of a page near its turn", () => {
    const { peak } = rates(figures.pagesPerSec, jumpAtMs, untilMs);
    expect(peak).toBeLessThan(jumpBy / (nearIntervalMs / jitterMost / 1_000));
  });

  test("whoever looks comes in within the interval that the page was told, and soon near the front", () => {
    const steady = figures.reactions.filter(({ atMs }) => atMs > opensAtMs + 60_000 && atMs < jumpAtMs);
    const delays = steady.map(({ afterMs }) => afterMs).sort((a, b) => a - b);
    expect(steady.length).toBeGreaterThan(2_500);
    expect(delays.at(Math.floor(delays.length * 0.99))).toBeLessThan(3_000);
    for (const { afterMs, toldMs } of figures.reactions)
      expect(afterMs).toBeLessThanOrEqual(jitterMost * toldMs + slackMs);
  });

  test("the limit is used from the first minute on", () => {
    expect(figures.admitted).toBeGreaterThan(0.98 * (outflowPerMinute / 60_000) * (untilMs - opensAtMs - 3_000));
  });
});
