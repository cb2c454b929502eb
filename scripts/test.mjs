/**
 * `npm test`: every test there is, against real servers, browsers and relying parties. Arguments go to vitest:
 * `npm test -- --project e2e`. The last line is `N passed, N failed`.
 */
import "./lib/node-version.mjs";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inRoot } from "./lib/paths.mjs";
import { prepare } from "./lib/prepare.mjs";
import { formatSummary, summarize } from "./lib/report.mjs";
import { ensureRequirements } from "./lib/requirements.mjs";
import { describeUnsteady, filesToRetry, withRetry } from "./lib/retry.mjs";
import { runTool } from "./lib/run.mjs";

await ensureRequirements();
await prepare();

const args = process.argv.slice(2);
let { code, report, uncaught } = await runTests(args);
// Whoever picks tests wants to see them fail.
const files = args.length === 0 ? filesToRetry(report, uncaught) : [];
if (files.length > 0) {
  process.stdout.write(`\nOnce more, alone: ${files.join(" ")}\n`);
  const second = await runTests(["--maxWorkers=1", ...files]);
  if (second.code === 0) process.stdout.write(describeUnsteady(report, files));
  code = second.code;
  report = withRetry(report, second.report);
}
process.exitCode = code;
process.stdout.write(`${formatSummary(summarize(report, code))}\n`);

/** Runs vitest, and answers its exit code, its JSON report (null when it made none), and how many errors no test caught. */
async function runTests(vitestArgs) {
  const dir = mkdtempSync(join(tmpdir(), "usher-test-"));
  const reportFile = join(dir, "report.json");
  const uncaughtFile = join(dir, "uncaught");
  const reporters = ["default", "json", inRoot("scripts/lib/uncaught-reporter.mjs")].map(
    (name) => `--reporter=${name}`,
  );
  const exitCode = await runTool(
    "vitest/vitest.mjs",
    ["run", ...reporters, `--outputFile.json=${reportFile}`, ...vitestArgs],
    {
      env: { ...process.env, USHER_UNCAUGHT_FILE: uncaughtFile },
    },
  );
  const found = { code: exitCode, report: readJson(reportFile), uncaught: readJson(uncaughtFile) };
  rmSync(dir, { recursive: true, force: true });
  return found;
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return null;
  }
}
