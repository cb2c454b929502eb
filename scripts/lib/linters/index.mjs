/**
 * The linters of what is in deploy/: one file each, with a `name`, the `artefact` that it is for, `get`, which answers the program or throws
 * `Unavailable`, and `lint`, which runs the program and answers its exit code and output. A new linter is a file and a line in the list.
 */
import { cfnLint } from "./cfn-lint.mjs";
import { checkov } from "./checkov.mjs";
import { helmLint } from "./helm-lint.mjs";
import { kubernetesSchemas } from "./kubernetes-schemas.mjs";
import { lintian } from "./lintian.mjs";
import { prometheusOperator } from "./prometheus-operator.mjs";
import { systemdAnalyze } from "./systemd-analyze.mjs";
import { terraformFmt } from "./terraform-fmt.mjs";
import { terraformValidate } from "./terraform-validate.mjs";
import { tflint } from "./tflint.mjs";
import { Unavailable } from "./tools.mjs";

export const LINTERS = [
  ...[terraformFmt, terraformValidate, tflint, checkov, cfnLint],
  ...[helmLint, kubernetesSchemas, prometheusOperator],
  ...[systemdAnalyze, lintian],
];

export const ARTEFACTS = [...new Set(LINTERS.map(({ artefact }) => artefact))];

/** Runs one linter. `outcome` is `clean`, `findings` (`text` has them) or `unavailable` (`text` says why). */
export async function runLinter(linter) {
  try {
    const { code, output } = await linter.lint(await linter.get());
    return { outcome: code === 0 ? "clean" : "findings", text: output };
  } catch (error) {
    if (error instanceof Unavailable) return { outcome: "unavailable", text: error.message };
    throw error;
  }
}
