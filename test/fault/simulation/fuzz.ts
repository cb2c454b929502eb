/**
 * Runs random scenarios one after the other: `npx tsx test/fault/simulation/fuzz.ts PREFIX COUNT [memory|redis] [MINUTES]
 * [VISITORS] [draw]`. With a count of 1 the prefix is the seed; with `draw` there is a prequeue.
 */
import { randomScenario } from "./random-scenario.ts";
import { simulate } from "./run.ts";
import type { StoreKind } from "./world.ts";

const [prefix = "fuzz", count = "20", store = "memory", minutes = "15", visitors = "400", kind = ""] =
  process.argv.slice(2);
let failures = 0;
for (let index = 0; index < Number(count); index++) {
  const seed = Number(count) === 1 ? prefix : `${prefix}-${index}`;
  const scenario = randomScenario(seed, {
    store: store as StoreKind,
    minutes: Number(minutes),
    visitors: Number(visitors),
    hasDraw: kind === "draw",
  });
  const startedMs = performance.now();
  try {
    const { measured, events, drawn, limit } = await simulate(scenario);
    const tookMs = Math.round(performance.now() - startedMs);
    process.stdout.write(
      `${seed}: ok${limit === null ? "" : ` until ${limit}`}, ${events} events, ${measured.admitted} admitted, ${drawn} drawn, ${tookMs} ms\n`,
    );
  } catch (error) {
    failures++;
    process.stdout.write(`${seed}: ${error instanceof Error ? error.message : error}\n\n`);
  }
}
process.exitCode = failures === 0 ? 0 : 1;
