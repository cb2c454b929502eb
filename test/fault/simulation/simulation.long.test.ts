// Long: simulates hundreds of events from seeds.
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

const fixedSeeds = ["memory-1", "memory-2", "memory-3", "memory-4", "memory-5", "memory-6", "memory-7", "memory-8"];
const newSeed = `new-${randomBytes(4).toString("hex")}`;

describe("by chance, on the memory store", () => {
  test.each([...fixedSeeds, newSeed])("the rules hold with the seed %s", async (seed) => {
    await simulate(randomScenario(seed, { store: "memory", minutes: 10, visitors: 250 }));
  });
});

describe("by chance, on days that were found to be hard", () => {
  // Everything killed and lost at once, with admissions that had ended before; and with the clock set back by an hour before it goes on.
  // A process that believes in old admissions; two draws in one edition; a place that is over when `passthrough` ends; data that is put
  // back while a process is down.
  test.each([
    ["plain-4", { minutes: 6, visitors: 120 }],
    ["new-5c4d990d", { minutes: 10, visitors: 250 }],
    ["plain-98", { minutes: 6, visitors: 120 }],
    ["i-18", { minutes: 6, visitors: 120, hasDraw: true }],
    ["mb-111", { minutes: 6, visitors: 120 }],
    ["pa-154", { minutes: 6, visitors: 120 }],
  ])("the rules hold with the seed %s", async (seed, options) => {
    expect(await simulate(randomScenario(seed, { store: "memory", ...options }))).toMatchObject({ limit: null });
  });
});

describe("by chance, with a draw", () => {
  // A process that was behind, cut off through the prequeue; a loss of an entry that a process gave out just before it ended.
  const drawSeeds = ["g-155", "k-18"];
  test.each(drawSeeds)("the rules hold with the seed %s", async (seed) => {
    await simulate(randomScenario(seed, { store: "memory", minutes: 6, visitors: 120, hasDraw: true }));
  });

  test("the rules hold on Redis, too, and everybody's place was drawn", async () => {
    const options = { store: "redis", minutes: 3, visitors: 60, hasDraw: true } as const;
    const { drawn } = await simulate(randomScenario("redis-1", options));
    expect(drawn).toBe(1);
  });
});

describe("by chance, on Redis", () => {
  test.each(["redis-1", "redis-2"])("the rules hold with the seed %s", async (seed) => {
    await simulate(randomScenario(seed, { store: "redis", minutes: 5, visitors: 120 }));
  });
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
