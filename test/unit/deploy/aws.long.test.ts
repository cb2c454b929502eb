// Long: runs linters that have to be fetched.
/** The linters of AWS's tools find nothing in what is deployed there. One that cannot be had is skipped, and says why. */
import { expect, test } from "vitest";
// @ts-expect-error: a script without types
import { LINTERS, runLinter } from "../../../scripts/lib/linters/index.mjs";

// Of what takes minutes to build, what is there from an earlier time.
process.env.USHER_LINTERS = "quick";

interface Linter {
  readonly name: string;
  readonly artefact: string;
}
const linters = (LINTERS as Linter[]).filter(({ artefact }) => artefact === "aws");

test.for(linters)("$name finds nothing", { timeout: 20 * 60_000 }, async (linter, { skip }) => {
  const { outcome, text } = await runLinter(linter);
  if (outcome === "unavailable") skip(text);
  expect(outcome, text).toBe("clean");
});
