/** `npm run check`: types, lint, format, the core's Lua, the reference (configuration, HTTP interface), links, import boundaries, unit and contract tests. Goes through all of them and names those that fail. */
import "./lib/node-version.mjs";
import { ensureBuilt } from "./lib/build.mjs";
import { findBrokenLinks } from "./lib/links.mjs";
import { compileLua } from "./lib/lua.mjs";
import { inRoot } from "./lib/paths.mjs";
import { prepare } from "./lib/prepare.mjs";
import { ensureRequirements, REQUIREMENTS } from "./lib/requirements.mjs";
import { run, runTool } from "./lib/run.mjs";

const STEPS = [
  ["types", () => runTool("typescript/bin/tsc", ["--noEmit"])],
  ["types of the browser's scripts", () => runTool("typescript/bin/tsc", ["-p", "tsconfig.browser.json"])],
  ["lint and format", () => runTool("@biomejs/biome/bin/biome", ["check", "--error-on-warnings"])],
  ["Lua of the core", () => compileLua(["--check"])],
  [
    "reference of the configuration and the HTTP interface",
    () => run(process.execPath, [inRoot("scripts", "reference.mjs"), "--check"]),
  ],
  ["links of the documents", checkLinks],
  ["build", ensureBuilt],
  [
    "import boundaries, unit and contract tests",
    () => runTool("vitest/vitest.mjs", ["run", "--project", "unit", "--project", "contract"]),
  ],
];

function checkLinks() {
  const broken = findBrokenLinks(inRoot("."));
  for (const line of broken) process.stdout.write(`${line}\n`);
  return broken.length === 0 ? 0 : 1;
}

if (process.argv.length > 2) {
  const isAsked = process.argv.slice(2).every((argument) => argument === "--help" || argument === "-h");
  const steps = STEPS.map(([name]) => `  ${name}\n`).join("");
  const text = `npm run check takes no options. It goes through all of these and names those that fail:\n${steps}`;
  (isAsked ? process.stdout : process.stderr).write(text);
  process.exit(isAsked ? 0 : 2);
}
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
