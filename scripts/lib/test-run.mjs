import { relative } from "node:path";
import { createVitest, parseCLI } from "vitest/node";
import { root } from "./paths.mjs";

/** So many long files run at once before the time is looked at. */
const BATCH = 8;

/**
 * Runs tests by vitest in this process; workers run beside it.
 *
 * @param options vitest's own, as on its command line
 * @param quick files, which run all at once
 * @param long files, in their order
 * @param timeLeftMs what is left for the long ones, in milliseconds; Infinity without a bound. No batch begins after it, and what runs
 * then ends with the test it is at.
 * @returns what each file did, how many errors nobody caught, and the long files that were not begun
 */
export async function runTests({ options, quick, long, timeLeftMs }) {
  const project = [...new Set([...quick, ...long].map(({ kind, isLong }) => (isLong ? `${kind}-long` : kind)))];
  const vitest = await createVitest("test", {
    ...parseCLI(["vitest", "run", ...options]).options,
    watch: false,
    project,
  });
  const results = [];
  let uncaught = 0;
  try {
    await vitest.standalone();
    const specifications = new Map();
    for (const each of await vitest.globTestSpecifications()) {
      specifications.set(relative(root, each.moduleId), each);
    }
    const pick = (files) => files.flatMap(({ file }) => specifications.get(file) ?? []);
    async function runBatch(batch) {
      if (batch.length === 0) return;
      const { testModules, unhandledErrors } = await vitest.runTestSpecifications(batch);
      results.push(...testModules.map(describeModule));
      uncaught += unhandledErrors.length;
    }
    await runBatch(pick(quick));
    const waiting = pick(long);
    const leftMs = timeLeftMs();
    const isBounded = Number.isFinite(leftMs);
    const cut = isBounded ? setTimeout(() => vitest.cancelCurrentRun("test-failure"), leftMs) : undefined;
    while (waiting.length > 0 && timeLeftMs() > 0)
      await runBatch(waiting.splice(0, isBounded ? BATCH : waiting.length));
    clearTimeout(cut);
    const ran = new Set(results.filter(({ wasRun }) => wasRun).map(({ file }) => file));
    return { results, uncaught, notRun: long.map(({ file }) => file).filter((file) => !ran.has(file)) };
  } finally {
    await vitest.close();
  }
}

/** Of a file: its kind of test, how many of its tests passed, failed and were skipped, and its CPU time in milliseconds. */
function describeModule(module) {
  const states = [...module.children.allTests()].map((test) => test.result().state);
  const count = (state) => states.filter((each) => each === state).length;
  const isBroken = module.state() === "failed" && !states.includes("failed");
  return {
    file: relative(root, module.moduleId),
    kind: module.project.name.replace("-long", ""),
    passed: count("passed"),
    failed: count("failed") + (isBroken ? 1 : 0),
    skipped: count("skipped"),
    // One that was cut short has tests that nobody began.
    wasRun: states.length === 0 || states.some((state) => state === "passed" || state === "failed"),
    cpuMs: module.meta().cpuMs ?? 0,
  };
}
