/**
 * `npm run coverage`: how many lines of src/ the quick tests run, by V8, in the tests' own processes and in all of Node's that they
 * start; what browsers run is not counted. `--all` for all tests; names and `--project` as for `npm test`. The last line has the figure.
 */
import "./lib/node-version.mjs";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { linesRunByChildren } from "./lib/children-coverage.mjs";
import { root } from "./lib/paths.mjs";
import { prepare } from "./lib/prepare.mjs";
import { ensureRequirements, neededByTests } from "./lib/requirements.mjs";
import { listTestFiles, selectTestFiles } from "./lib/test-files.mjs";
import { readTestOptions } from "./lib/test-options.mjs";

const FOLDERS_SHOWN = 12;

const options = readTestOptions(process.argv.slice(2));
const files = selectTestFiles(listTestFiles(root), options);
await ensureRequirements(neededByTests(files));
await prepare();
const folder = mkdtempSync(join(tmpdir(), "usher-coverage-"));
const [ofChildren, ofTests] = [join(folder, "children"), join(folder, "tests")];
mkdirSync(ofChildren);
process.env.USHER_CHILDREN_COVERAGE = ofChildren;
const { runTests } = await import("./lib/test-run.mjs");
const v8 = [
  "--coverage.enabled",
  "--coverage.provider=v8",
  "--coverage.reporter=json",
  `--coverage.reportsDirectory=${ofTests}`,
];
await runTests({
  options: [...options.vitest, ...v8, "--coverage.include=src/**/*.{ts,tsx}", "--coverage.reportOnFailure"],
  quick: files.filter(({ isLong }) => !isLong),
  long: files.filter(({ isLong }) => isLong),
  timeLeftMs: null,
});
const children = linesRunByChildren(ofChildren, root);
const report = JSON.parse(readFileSync(join(ofTests, "coverage-final.json"), "utf8"));
const found = Object.values(report).map((file) => describe(file, children.get(relative(root, file.path)) ?? new Set()));
rmSync(folder, { recursive: true, force: true });

const names = [...new Set(found.map(folderOf))];
const folders = names
  .map((name) => ({ name, of: found.filter((file) => folderOf(file) === name) }))
  .map(({ name, of }) => ({ name, lines: sum(of, "lines"), run: sum(of, "run") }))
  .sort((a, b) => b.lines - b.run - (a.lines - a.run));
for (const { name, lines, run } of folders.slice(0, FOLDERS_SHOWN)) {
  process.stdout.write(`${name.padEnd(20)} ${percent(run, lines)} % of ${lines} lines\n`);
}
process.stdout.write(
  `Lines of src/ that tests run: ${percent(sum(found, "run"), sum(found, "lines"))} % of ${sum(found, "lines")}\n`,
);

/** A line counts where a statement begins. */
function describe({ path, statementMap, s }, runByChildren) {
  const hasRun = new Map();
  for (const [id, { start }] of Object.entries(statementMap)) {
    hasRun.set(start.line, (hasRun.get(start.line) ?? runByChildren.has(start.line)) || s[id] > 0);
  }
  return { path: relative(root, path), lines: hasRun.size, run: [...hasRun.values()].filter(Boolean).length };
}

function folderOf({ path }) {
  return path.split("/").slice(0, 2).join("/");
}

function sum(list, member) {
  return list.reduce((total, each) => total + each[member], 0);
}

function percent(part, whole) {
  return ((part * 100) / Math.max(1, whole)).toFixed(2);
}
