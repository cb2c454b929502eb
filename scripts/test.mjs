/**
 * Runs the tests, against real servers, browsers and relying parties. The last line is `N passed, N failed`; the one before it says
 * what the whole command took of CPU time, the installation, the build and every program that was started included.
 *
 * - `npm test`: the quick ones, of all kinds. `npm test -- webhooks`: those of a feature, by a part of their paths.
 * - `npm run test:long`: what takes long (`*.long.test.ts`), in an order that changes daily; `--seed N` repeats that of a day,
 *   `--list` prints it with what makes each of them long.
 * - `npm run test:all`: both; with `--minutes N`, as .ci/run does it, the long ones as far as there is time.
 */
import "./lib/node-version.mjs";
import { ownCpuMs, processCpuMs } from "./lib/own-cpu.mjs";
import { root } from "./lib/paths.mjs";
import { prepare } from "./lib/prepare.mjs";
import { ensureRequirements, neededByTests } from "./lib/requirements.mjs";
import { fail } from "./lib/run.mjs";
import { listTestFiles, orderBySeed, selectTestFiles } from "./lib/test-files.mjs";
import { readTestOptions, USAGE } from "./lib/test-options.mjs";
import { summarize } from "./lib/test-summary.mjs";

const MS_PER_MINUTE = 60_000;

const options = readOptions();
if (options.isHelp) {
  process.stdout.write(`${USAGE}\n`);
  process.exit(0);
}
const files = selectTestFiles(listTestFiles(root), options);
const quick = files.filter(({ isLong }) => !isLong);
const long = orderBySeed(
  files.filter(({ isLong }) => isLong),
  options.seed,
);
if (files.length === 0) fail(`No test file has ${options.names.join(" or ")} in its path.`);
if (options.list || long.length > 1) printFiles();
if (!options.list) await run();

function readOptions() {
  try {
    return readTestOptions(process.argv.slice(2));
  } catch (error) {
    return fail(error.message, 2);
  }
}

function printFiles() {
  const lines = options.list ? quick.map(({ file }) => file) : [];
  if (long.length > 0)
    lines.push(`Long tests, in the order of the seed ${options.seed} (--seed ${options.seed} repeats it):`);
  lines.push(...long.map(({ file, reason }) => `  ${file}${options.list ? `  ${reason}` : ""}`));
  process.stdout.write(`${lines.join("\n")}\n`);
}

async function run() {
  await ensureRequirements(neededByTests(files));
  await prepare();
  const preparedMs = ownCpuMs();
  const { runTests } = await import("./lib/test-run.mjs");
  const { minutes, vitest } = options;
  const timeLeftMs = minutes === null ? null : () => minutes * MS_PER_MINUTE - performance.now();
  const runnerMs = processCpuMs();
  const result = await runTests({ options: vitest, quick, long, timeLeftMs });
  const { hasFailed, lines } = summarize(result, { preparedMs, runnerMs: processCpuMs() - runnerMs });
  process.stdout.write(`\n${lines.join("\n")}\n`);
  process.exitCode = hasFailed ? 1 : 0;
}
