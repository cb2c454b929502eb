/**
 * Goal: whatever mixture of crowds, habits and faults comes, the rules of the design hold, and whoever waits
 * faithfully gets in. Method: seeded simulations of whole processes on a shared store, in simulated time, with the rules
 * asserted at each answer of the store. A failure prints its seed, which repeats it:
 * `npx tsx test/fault/simulation/fuzz.ts SEED 1 memory 10 250` (or `redis 5 120`; with a draw `memory 6 120 draw`).
 */
import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { periodic } from "./grid.ts";
import { randomScenario } from "./random-scenario.ts";
import { simulate } from "./run.ts";

const newSeed = `new-${randomBytes(4).toString("hex")}`;

test.each(["memory-1", "memory-5", newSeed])("on the memory store, the rules hold with the seed %s", async (seed) => {
  await simulate(randomScenario(seed, { store: "memory", minutes: 10, visitors: 250 }));
});

describe("on days that were found to be hard", () => {
  // A process that believes in old admissions; two draws in one edition; a loss of entries that only cut off processes know;
  // a place that is over when `passthrough` ends; data that is put back while a process is down; a disk that keeps next to nothing.
  test.each([
    ["plain-98", { minutes: 6, visitors: 120 }],
    ["i-18", { minutes: 6, visitors: 120, hasDraw: true }],
    ["h-35", { minutes: 6, visitors: 120, hasDraw: true }],
    ["mb-111", { minutes: 6, visitors: 120 }],
    ["pa-154", { minutes: 6, visitors: 120 }],
    ["zb-89", { minutes: 3, visitors: 50 }],
  ])("the rules hold with the seed %s", async (seed, options) => {
    expect(await simulate(randomScenario(seed, { store: "memory", ...options }))).toMatchObject({ limit: null });
  });
});

test("on Redis, the rules hold with the seed redis-2", async () => {
  await simulate(randomScenario("redis-2", { store: "redis", minutes: 5, visitors: 120 }));
});

describe("under steady demand", () => {
  test("60 a minute are used, and never exceeded, with half of the visitors absent", async () => {
    const { scenario } = periodic(60, "memory", 0.5, { seed: "test", isQuick: true });
    const { measured } = await simulate(scenario);
    expect(measured.largestMinuteShare).toBeLessThanOrEqual(1);
    expect(measured.meanUse).toBeGreaterThanOrEqual(0.98);
    expect(measured.doorP99Ms).toBeLessThanOrEqual(15_000);
    expect(measured.latestMs).toBeLessThanOrEqual(0);
  });
});
