/**
 * `npm run bench:many`: a real gateway on a real Redis. `million`: 1,000,000 wait in one room; their pages ask, straight and through caches;
 * the store is emptied, and all are let in. `held`: joins at the most that the process does, for two minutes, and at 70 % of it. Without an
 * argument both. Prints JSON; exits with 1 when a goal is missed. `BENCH_COUNT` is how many wait, `BENCH_SECONDS` how long joins are held.
 */
import { measureHeld } from "./held.ts";
import { measureMillion } from "./million.ts";

const wanted = process.argv.slice(2);
const heldSec = Number(process.env.BENCH_SECONDS ?? 120);
const parts = {
  million: () => measureMillion(Number(process.env.BENCH_COUNT ?? 1_000_000)),
  held: () => measureHeld({ rounds: 5, roundSec: 5, heldSec, pacedSec: heldSec / 2 }),
};

for (const [name, measure] of Object.entries(parts)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const { figures, goals } = await measure();
  console.log(JSON.stringify({ part: name, node: process.version, ...figures, goals }, rounded, 2));
  if (Object.values(goals).includes(false)) process.exitCode = 1;
}

function rounded(_name: string, value: unknown): unknown {
  return typeof value === "number" ? Number(value.toPrecision(Number.isInteger(value) ? 15 : 4)) : value;
}
