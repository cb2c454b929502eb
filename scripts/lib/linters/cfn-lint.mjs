import { capture, fromPypi } from "./tools.mjs";

/** The CloudFormation templates, by AWS's own schemas of resources. */
export const cfnLint = {
  name: "cfn-lint",
  artefact: "aws",
  get: () => fromPypi("cfn-lint", "1.58.0"),
  lint: (program) => capture(program, ["--include-checks", "I", "--", "deploy/cloudformation/*.yaml"]),
};
