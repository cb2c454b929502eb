import { inRoot } from "../paths.mjs";
import { capture, fromGoProxy } from "./tools.mjs";

/** Terraform's language: what is declared and not used, has no type, is deprecated. Its rules for AWS are not on Go's proxy. */
export const tflint = {
  name: "tflint",
  artefact: "aws",
  get: () => fromGoProxy("tflint", "github.com/terraform-linters/tflint", "0.64.0"),
  lint: (program) =>
    capture(program, ["--recursive", `--config=${inRoot("deploy/terraform/.tflint.hcl")}`], {
      cwd: inRoot("deploy/terraform"),
    }),
};
