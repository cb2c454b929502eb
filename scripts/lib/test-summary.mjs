const SHOWN = 10;

/**
 * The lines at the end of a run: the files that cost most, a line for each kind of test, the CPU time of the whole command, and
 * what passed and failed. A file that can't be loaded and an error that nobody caught count as failures, so that the last line never
 * looks better than the run.
 *
 * @param run what `runTests` answers
 * @param cpu of CPU time: before the tests, with what was installed and built, and of this process since
 */
export function summarize({ results, uncaught, notRun }, cpu) {
  const sum = (of, list = results) => list.reduce((total, each) => total + of(each), 0);
  const [passed, failed, skipped] = ["passed", "failed", "skipped"].map((state) => sum((each) => each[state]));
  const tests = sum((each) => each.cpuMs);
  const kinds = [...new Set(results.map(({ kind }) => kind))].map((kind) => {
    const files = results.filter((each) => each.kind === kind && each.wasRun);
    const count = sum((each) => each.passed + each.failed, files);
    return `${kind.padEnd(8)} ${String(count).padStart(6)} tests in ${String(files.length).padStart(3)} files ${seconds(sum((each) => each.cpuMs, files)).padStart(8)} s`;
  });
  const dearest = [...results].sort((a, b) => b.cpuMs - a.cpuMs).slice(0, SHOWN);
  const others = skipped > 0 ? `, ${skipped} skipped` : "";
  return {
    hasFailed: failed + uncaught > 0 || passed === 0,
    lines: [
      `CPU time of the ${dearest.length} files that cost most:`,
      ...dearest.map(({ file, cpuMs }) => `${seconds(cpuMs).padStart(8)} s  ${file}`),
      ...kinds,
      ...(notRun.length > 0 ? [`Not run, for want of time or of what they need: ${notRun.join(", ")}`] : []),
      `CPU time: ${seconds(cpu.preparedMs + cpu.runnerMs + tests)} s in all (installing and building ${seconds(cpu.preparedMs)}, the runner ${seconds(cpu.runnerMs)}, the tests with all that they start ${seconds(tests)})`,
      `${passed} passed, ${failed + uncaught} failed${others}`,
    ],
  };
}

function seconds(ms) {
  return (ms / 1_000).toFixed(1);
}
