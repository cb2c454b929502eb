/**
 * `npm run trace`: the inlet `adaptive` before a real site that slows down with its load (test/fault/adaptive/main.ts). Takes
 * about seven minutes, fails where the site is not held at its target, and writes its figure into docs/images/.
 */
import "./lib/node-version.mjs";
import { prepare } from "./lib/prepare.mjs";
import { ensureRequirements, REQUIREMENTS } from "./lib/requirements.mjs";
import { run } from "./lib/run.mjs";

await ensureRequirements(REQUIREMENTS.filter(({ packageName }) => packageName === "redis-server"));
await prepare({ needsBuild: true });
process.exitCode = await run(process.execPath, ["--import", "tsx", "test/fault/adaptive/main.ts"]);
