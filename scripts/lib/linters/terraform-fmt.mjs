import { capture, programInPath } from "./tools.mjs";

export const WHERE_TERRAFORM_IS = "it comes from HashiCorp alone (https://developer.hashicorp.com/terraform/install)";

/** Syntax and format of the Terraform modules. */
export const terraformFmt = {
  name: "terraform fmt",
  artefact: "aws",
  get: async () => programInPath("terraform", WHERE_TERRAFORM_IS),
  lint: (terraform) => capture(terraform, ["fmt", "-check", "-recursive", "-diff", "deploy/terraform"]),
};
