/**
 * Runs the tests, against real servers, browsers and relying parties. The last line is `N passed, N failed`.
 *
 * - `npm test`: everything that guards behaviour, in minutes.
 * - `npm run test:long`: what takes long (`*.long.test.ts`): simulated days, long random walks, real time-outs.
 * - `npm run test:all`: both, as .ci/run does.
 *
 * A few files that fail beside all the others run once more, alone; the lines before the last one name those that pass then.
 *
 * Further arguments go to vitest: `npm test -- test/e2e/keys`, `npm test -- --project unit`.
 */
import "./lib/node-version.mjs";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inRoot } from "./lib/paths.mjs";
import { prepare } from "./lib/prepare.mjs";
import { formatSummary, summarize } from "./lib/report.mjs";
import { ensureRequirements } from "./lib/requirements.mjs";
import { runTool } from "./lib/run.mjs";
import { describeAccidents, filesToRunAgain, mergeReports } from "./lib/second-run.mjs";
import { isSelection, toVitestArgs } from "./lib/test-selection.mjs";

await ensureRequirements();
await prepare();

const dir = mkdtempSync(join(tmpdir(), "usher-test-"));
const reportFile = join(dir, "report.json");
const reporters = ["default", "json", inRoot("scripts/lib/slowest-reporter.mjs")].map((name) => `--reporter=${name}`);
const given = process.argv.slice(2);

let { code, report } = await runVitest(toVitestArgs(given));
const again = isSelection(given) ? [] : filesToRunAgain(report);
const accidents = [];
if (again.length > 0) {
  const second = await runVitest([...again, "--no-file-parallelism"]);
  code = second.code;
  report = mergeReports(report, second.report);
  accidents.push(...describeAccidents(again, report));
}
rmSync(dir, { recursive: true, force: true });
process.exitCode = code;
process.stdout.write(`${[...accidents, formatSummary(summarize(report, code))].join("\n")}\n`);

async function runVitest(args) {
  rmSync(reportFile, { force: true });
  const code = await runTool("vitest/vitest.mjs", ["run", ...reporters, `--outputFile.json=${reportFile}`, ...args]);
  return { code, report: readJson(reportFile) };
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return null;
  }
}
