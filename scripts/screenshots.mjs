/**
 * `npm run screenshots`: every page in every state, in three languages, light and dark, on three widths, into
 * artifacts/screenshots (test/support/page-screenshots.ts). Needs Chromium, and no build. With `-- console`: the console's
 * screens, with the demonstration's crowd, into docs/images (test/support/console-screenshots.ts).
 */
import "./lib/node-version.mjs";
import { prepare } from "./lib/prepare.mjs";
import { ensureRequirements, REQUIREMENTS } from "./lib/requirements.mjs";
import { run } from "./lib/run.mjs";

await ensureRequirements(REQUIREMENTS.filter(({ packageName }) => packageName === "chromium"));
const isOfConsole = process.argv.includes("console");
await prepare({ needsBuild: isOfConsole });
const program = `test/support/${isOfConsole ? "console" : "page"}-screenshots.ts`;
process.exitCode = await run(process.execPath, ["--import", "tsx", program]);
