/**
 * `npm test`: every test there is, against real servers, browsers and relying parties. Arguments go to vitest:
 * `npm test -- --project e2e`. The last line is `N passed, N failed`.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { prepare } from "./lib/prepare.mjs";
import { formatSummary, summarize } from "./lib/report.mjs";
import { ensureRequirements } from "./lib/requirements.mjs";
import { runTool } from "./lib/run.mjs";

await ensureRequirements();
await prepare();

const dir = mkdtempSync(join(tmpdir(), "usher-test-"));
const reportFile = join(dir, "report.json");
const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${reportFile}`];
const code = await runTool("vitest/vitest.mjs", ["run", ...reporters, ...process.argv.slice(2)]);
const summary = summarize(readReport(), code);
rmSync(dir, { recursive: true, force: true });
process.exitCode = code;
process.stdout.write(`${formatSummary(summary)}\n`);

function readReport() {
  try {
    return JSON.parse(readFileSync(reportFile, "utf8"));
  } catch {
    return null;
  }
}
