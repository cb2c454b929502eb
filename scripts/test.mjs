/**
 * Runs the tests, against real servers, browsers and relying parties. The last line is `N passed, N failed`.
 *
 * - `npm test`: everything that guards behaviour, in minutes.
 * - `npm run test:long`: what takes long (`*.long.test.ts`): simulated days, long random walks, real time-outs.
 * - `npm run test:all`: both, as .ci/run does.
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
import { toVitestArgs } from "./lib/test-selection.mjs";

await ensureRequirements();
await prepare();

const dir = mkdtempSync(join(tmpdir(), "usher-test-"));
const reportFile = join(dir, "report.json");
const reporters = ["default", "json", inRoot("scripts/lib/slowest-reporter.mjs")].map((name) => `--reporter=${name}`);
const code = await runTool("vitest/vitest.mjs", [
  "run",
  ...reporters,
  `--outputFile.json=${reportFile}`,
  ...toVitestArgs(process.argv.slice(2)),
]);
const report = readJson(reportFile);
rmSync(dir, { recursive: true, force: true });
process.exitCode = code;
process.stdout.write(`${formatSummary(summarize(report, code))}\n`);

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return null;
  }
}
