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
 * @param timeLeftMs tells what is left for the long ones, in milliseconds; null where there is no bound. No batch begins after it, and what runs
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
  // Each batch answers with the files of those before it, too.
  const found = new Map();
  let uncaught = 0;
  try {
    await vitest.standalone();
    const specifications = new Map();
    for (const each of await vitest.globTestSpecifications()) {
      specifications.set(relative(root, each.moduleId), each);
    }
    const pick = (files) => files.flatMap(({ file }) => specifications.get(file) ?? []);
    async function runBatch(batch, isAll = false) {
      if (batch.length === 0) return;
      const { testModules, unhandledErrors } = await vitest.runTestSpecifications(batch, isAll);
      for (const result of testModules.map(describeModule)) found.set(result.file, result);
      uncaught += unhandledErrors.length;
    }
    if (timeLeftMs === null) await runBatch(pick([...quick, ...long]), true);
    else {
      await runBatch(pick(quick));
      const cut = setTimeout(() => vitest.cancelCurrentRun("test-failure"), timeLeftMs());
      for (const waiting = pick(long); waiting.length > 0 && timeLeftMs() > 0; )
        await runBatch(waiting.splice(0, BATCH));
      clearTimeout(cut);
    }
    const results = [...found.values()];
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
  // One that was cut short, or of which something is not here, has tests that nobody began.
  const wasRun = ["passed", "failed"].includes(module.state());
  const isBroken = module.state() === "failed" && !states.includes("failed");
  return {
    file: relative(root, module.moduleId),
    kind: module.project.name.replace("-long", ""),
    passed: count("passed"),
    failed: count("failed") + (isBroken ? 1 : 0),
    skipped: wasRun ? count("skipped") : 0,
    wasRun,
    cpuMs: module.meta().cpuMs ?? 0,
  };
}
