/** Tests of these kinds run beside real programs and in real time, which a busy machine takes from them. In the others time stands still. */
const REAL_TIME = /[\\/]test[\\/](?:e2e|browser|fault)[\\/]/;

/** What vitest says of a test, or a hook, that was ended. */
const TIMED_OUT = /timed out in \d+ms/;

/** More than so many files are no accident. */
const FILES_MAX = 3;

/**
 * A run of everything takes an hour on a machine where other things run, too. A few files that failed in it run once more, alone: what
 * fails again has failed.
 *
 * @param report vitest's JSON report, or null
 * @returns the files to run again; none where the failure is of another kind
 */
export function filesToRunAgain(report) {
  const failed = (report?.testResults ?? []).filter(({ status }) => status === "failed");
  return failed.length <= FILES_MAX && failed.every(isOfBusyMachine) ? failed.map(({ name }) => name) : [];
}

function isOfBusyMachine({ name, assertionResults }) {
  if (REAL_TIME.test(name)) return true;
  const failed = assertionResults.filter(({ status }) => status === "failed");
  return (
    failed.length > 0 && failed.every(({ failureMessages }) => failureMessages.every((each) => TIMED_OUT.test(each)))
  );
}

/** @returns the report of the first run, with what the second found in its files */
export function mergeReports(first, second) {
  const again = new Map((second?.testResults ?? []).map((file) => [file.name, file]));
  return { ...first, testResults: first.testResults.map((file) => again.get(file.name) ?? file) };
}

/** @returns a line for each file that failed, and did not when it ran alone */
export function describeAccidents(files, merged) {
  const failed = failedFiles(merged);
  return files
    .filter((name) => !failed.includes(name))
    .map((name) => `Failed at first, and passed when it ran again, alone: ${name}`);
}

function failedFiles(report) {
  return (report?.testResults ?? []).filter(({ status }) => status === "failed").map(({ name }) => name);
}
