/**
 * Counts the tests of vitest's JSON report (null when there is none). What failed without being a test (a file that
 * can't be loaded, an error that nobody caught) counts as a failure, so that the line never looks better than the run.
 */
export function summarize(report, exitCode) {
  const files = report?.testResults ?? [];
  const assertions = files.flatMap((file) => file.assertionResults);
  const count = (...statuses) => assertions.filter(({ status }) => statuses.includes(status)).length;
  const brokenFiles = files.filter(
    (file) => file.status === "failed" && !file.assertionResults.some(({ status }) => status === "failed"),
  ).length;
  const failed = count("failed") + brokenFiles;
  return {
    passed: count("passed"),
    failed: failed === 0 && exitCode !== 0 ? 1 : failed,
    skipped: count("skipped", "pending", "todo", "disabled"),
  };
}

/** The last line of `npm test`. */
export function formatSummary({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}
