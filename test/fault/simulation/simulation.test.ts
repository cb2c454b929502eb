/**
 * Goal: whatever mixture of crowds, habits and faults comes, the rules of the design hold, and whoever waits
 * faithfully gets in. Method: seeded simulations of whole processes on a shared store, in simulated time, with the rules
 * asserted at each answer of the store. A failure prints its seed, which repeats it:
 * `npx tsx test/fault/simulation/fuzz.ts SEED 1 memory 10 250` (or `redis 5 120`; with a draw `memory 6 120 draw`).
 */
import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { randomScenario } from "./random-scenario.ts";
import { simulate } from "./run.ts";

const newSeed = `new-${randomBytes(4).toString("hex")}`;

test("on the memory store, the rules hold with a new seed", async () => {
  await simulate(randomScenario(newSeed, { store: "memory", minutes: 3, visitors: 50 }));
});

// On days that were found to be hard: a loss of entries that only cut off processes know; a disk that keeps next to nothing.
test.each([
  ["h-35", { minutes: 6, visitors: 120, hasDraw: true }],
  ["zb-89", { minutes: 3, visitors: 50 }],
])("the rules hold with the seed %s", async (seed, options) => {
  expect(await simulate(randomScenario(seed, { store: "memory", ...options }))).toMatchObject({ limit: null });
});

test("on Redis, the rules hold with the seed redis-2", async () => {
  await simulate(randomScenario("redis-2", { store: "redis", minutes: 2, visitors: 40 }));
});
