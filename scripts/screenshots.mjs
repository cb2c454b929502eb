/**
 * `npm run screenshots`: every page in every state, in three languages, light and dark, on three widths, into
 * artifacts/screenshots (test/support/page-screenshots.ts). Needs Chromium, and no build.
 */
import "./lib/node-version.mjs";
import { prepare } from "./lib/prepare.mjs";
import { ensureRequirements, REQUIREMENTS } from "./lib/requirements.mjs";
import { run } from "./lib/run.mjs";

await ensureRequirements(REQUIREMENTS.filter(({ packageName }) => packageName === "chromium"));
await prepare({ needsBuild: false });
process.exitCode = await run(process.execPath, ["--import", "tsx", "test/support/page-screenshots.ts"]);
