import { relative } from "node:path";
import { inRoot } from "./paths.mjs";

/** More than these are no accident. */
const FILES_MAX = 3;
/** What goes by the machine's own clock, with servers and browsers beside it; a unit never gets another chance. */
const TIMED = /^test\/(e2e|browser|fault)\//;

/**
 * The files of vitest's JSON report (null when there is none) that are run once more, alone: the failed ones, if they are
 * few and all of a kind that a busy machine can fail. None, otherwise: the run has failed.
 *
 * @param uncaught how many errors no test caught, null where that is not known: they fail a run, whatever its files say
 */
export function filesToRetry(report, uncaught) {
  const failed = uncaught === 0 ? failedFiles(report) : [];
  return failed.length <= FILES_MAX && failed.every((file) => TIMED.test(file)) ? failed : [];
}

/** The report of a run with what the retry of these files in place of their first results. */
export function withRetry(report, second) {
  const again = new Set((second?.testResults ?? []).map(({ name }) => name));
  const kept = report.testResults.filter(({ name }) => !again.has(name));
  return { ...report, testResults: [...kept, ...(second?.testResults ?? [])] };
}

/** What is said of a test that passed at its second attempt only: it is to be mended all the same. */
export function describeUnsteady(report, files) {
  const tests = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === "failed")
      .map(({ fullName }) => `  ${fromRoot(name)}: ${fullName}`),
  );
  const lines = tests.length > 0 ? tests : files.map((file) => `  ${file}`);
  return `\nUnsteady: failed in the run and passed alone. Find out why before it hides a fault:\n${lines.join("\n")}\n`;
}

function failedFiles(report) {
  return (report?.testResults ?? []).filter(({ status }) => status === "failed").map(({ name }) => fromRoot(name));
}

function fromRoot(file) {
  return relative(inRoot("."), file).replaceAll("\\", "/");
}
