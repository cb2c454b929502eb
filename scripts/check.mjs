/** `npm run check`: types, lint, format, import boundaries, unit and contract tests. Goes through all of them and names those that fail. */
import "./lib/node-version.mjs";
import { ensureBuilt } from "./lib/build.mjs";
import { compileLua } from "./lib/lua.mjs";
import { prepare } from "./lib/prepare.mjs";
import { ensureRequirements, REQUIREMENTS } from "./lib/requirements.mjs";
import { runTool } from "./lib/run.mjs";

const STEPS = [
  ["types", () => runTool("typescript/bin/tsc", ["--noEmit"])],
  ["types of the browser's scripts", () => runTool("typescript/bin/tsc", ["-p", "tsconfig.browser.json"])],
  ["lint and format", () => runTool("@biomejs/biome/bin/biome", ["check", "--error-on-warnings"])],
  ["Lua of the core", () => compileLua(["--check"])],
  ["build", ensureBuilt],
  [
    "import boundaries, unit and contract tests",
    () => runTool("vitest/vitest.mjs", ["run", "--project", "unit", "--project", "contract"]),
  ],
];

await ensureRequirements(REQUIREMENTS.filter(({ packageName }) => packageName === "redis-server"));
await prepare({ needsBuild: false });
const failed = [];
for (const [name, step] of STEPS) {
  process.stdout.write(`\n== ${name}\n`);
  if ((await step()) !== 0) {
    failed.push(name);
  }
}
process.stdout.write(failed.length === 0 ? "\nAll checks passed.\n" : `\nFailed: ${failed.join("; ")}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
