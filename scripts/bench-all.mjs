/** `npm run bench:all`: measures, and writes docs/performance.md (test/bench/all.ts). */
import "./lib/node-version.mjs";
import { prepare } from "./lib/prepare.mjs";
import { BENCH_REQUIREMENTS, ensureRequirements } from "./lib/requirements.mjs";
import { run } from "./lib/run.mjs";

await ensureRequirements(BENCH_REQUIREMENTS);
await prepare();
// tsx lets Node 20 run TypeScript; what is measured is dist/, in processes of its own.
process.exitCode = await run(process.execPath, ["--import", "tsx", "test/bench/all.ts"], {
  env: { NODE_ENV: "production", ...process.env },
});
