/** `npm run bench:many`: many who wait, and many who join (test/bench/many/run.ts); prints JSON. Arguments are passed on. */
import "./lib/node-version.mjs";
import { prepare } from "./lib/prepare.mjs";
import { BENCH_REQUIREMENTS, ensureRequirements } from "./lib/requirements.mjs";
import { run } from "./lib/run.mjs";

await ensureRequirements(BENCH_REQUIREMENTS);
await prepare();
process.exitCode = await run(
  process.execPath,
  ["--import", "tsx", "test/bench/many/run.ts", ...process.argv.slice(2)],
  {
    env: { NODE_ENV: "production", ...process.env },
  },
);
