import { capture, fromPypi } from "./tools.mjs";

/** What is insecure in the Terraform modules and the templates. What is skipped stands beside the resource, with the reason. */
export const checkov = {
  name: "checkov",
  artefact: "aws",
  get: () => fromPypi("checkov", "3.3.30"),
  lint: (program) =>
    capture(program, [
      ...["--directory", "deploy/terraform", "--directory", "deploy/cloudformation"],
      ...["--framework", "terraform", "cloudformation", "secrets", "--quiet", "--compact", "--skip-download"],
    ]),
};
