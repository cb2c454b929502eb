/**
 * Goal: what a join call costs Redis, by how many places it takes (join-calls.ts): over one connection with 2 ms between two calls, one by
 * one, and over eight at a time. Prints medians in µs for one call as JSON, and the line through them: so much for a call, so much more for a place.
 *
 * `npx tsx test/bench/scale/join-costs.ts [rounds]`
 */
import { round } from "../medians.ts";
import { type CallCost, measureJoinCalls } from "./join-calls.ts";

const rounds = Number(process.argv[2] ?? 15);
const batches = [1, 4, 16, 64, 256];
const ways = [
  { connections: 1, pauseMs: 2, callsPerRound: 200 },
  { connections: 1, pauseMs: 0, callsPerRound: 1_600 },
  { connections: 8, pauseMs: 0, callsPerRound: 1_600 },
];

for (const way of ways) {
  const costs = await measureJoinCalls({ ...way, rounds }, batches);
  const calls = costs.map(({ places, cpuUs, scriptUs }) => {
    return { places, cpuUs: round(cpuUs, 1), scriptUs: round(scriptUs, 1) };
  });
  const { connections, pauseMs } = way;
  process.stdout.write(`${JSON.stringify({ connections, pauseMs, ...lineThrough(costs), calls })}\n`);
}

/** Least squares. */
function lineThrough(calls: readonly CallCost[]) {
  const mean = (of: (call: CallCost) => number) => calls.reduce((sum, call) => sum + of(call), 0) / calls.length;
  const [x, y] = [mean(({ places }) => places), mean(({ cpuUs }) => cpuUs)];
  const perPlaceUs = mean(({ places, cpuUs }) => (places - x) * (cpuUs - y)) / mean(({ places }) => (places - x) ** 2);
  return { callUs: round(y - perPlaceUs * x, 1), perPlaceUs: round(perPlaceUs, 3) };
}
