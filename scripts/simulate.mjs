/**
 * `npm run simulate`: the line under steady demand, in simulated time (test/fault/simulation/main.ts). Writes its table
 * and figures into docs/. Arguments are passed on: `--quick`, `--seed TEXT`, `--only REGEX`.
 */
import "./lib/node-version.mjs";
import { prepare } from "./lib/prepare.mjs";
import { ensureRequirements, REQUIREMENTS } from "./lib/requirements.mjs";
import { run } from "./lib/run.mjs";

await ensureRequirements(REQUIREMENTS.filter(({ packageName }) => packageName === "redis-server"));
await prepare({ needsBuild: false });
// Ten million places and a million visitors take some memory.
const node = ["--max-old-space-size=8192", "--import", "tsx"];
process.exitCode = await run(process.execPath, [...node, "test/fault/simulation/main.ts", ...process.argv.slice(2)]);
