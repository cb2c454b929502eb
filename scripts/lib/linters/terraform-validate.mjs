import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inRoot } from "../paths.mjs";
import { WHERE_TERRAFORM_IS } from "./terraform-fmt.mjs";
import { capture, programInPath, Unavailable } from "./tools.mjs";

/**
 * Every argument of the Terraform modules, by the schema of AWS's provider, and the modules' own tests (tests/*.tftest.hcl), which plan with a
 * provider that answers nothing of AWS. `terraform init` gets that from registry.terraform.io; a CLI configuration
 * with `dev_overrides` for it (TF_CLI_CONFIG_FILE) takes its place.
 */
export const terraformValidate = {
  name: "terraform validate and test",
  artefact: "aws",
  get: async () => programInPath("terraform", WHERE_TERRAFORM_IS),
  lint: async (terraform) => {
    // `init` writes beside what it reads, and a module without a lock file of its own is for its user to lock.
    const copy = mkdtempSync(join(tmpdir(), "usher-terraform-"));
    try {
      cpSync(inRoot("deploy", "terraform"), copy, { recursive: true });
      const modules = readdirSync(join(copy, "aws"));
      const results = [];
      for (const module of modules) results.push(await validate(terraform, join(copy, "aws", module)));
      const failed = results.filter(({ code }) => code !== 0);
      return { code: failed.length === 0 ? 0 : 1, output: failed.map(({ output }) => output).join("\n") };
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  },
};

async function validate(terraform, cwd) {
  const init = await capture(terraform, ["init", "-backend=false", "-input=false", "-no-color"], { cwd });
  const hasOverride = existsSync(process.env.TF_CLI_CONFIG_FILE ?? "");
  if (init.code !== 0 && !hasOverride) {
    if (!/registry\.terraform\.io/.test(init.output)) return init;
    throw new Unavailable("registry.terraform.io, which has the provider hashicorp/aws, cannot be reached");
  }
  const validated = await capture(terraform, ["validate", "-no-color"], { cwd });
  return validated.code === 0 ? capture(terraform, ["test", "-no-color"], { cwd }) : validated;
}
