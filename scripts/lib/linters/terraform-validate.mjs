import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inRoot } from "../paths.mjs";
import { trimmedAwsProvider } from "./aws-provider.mjs";
import { WHERE_TERRAFORM_IS } from "./terraform-fmt.mjs";
import { capture, programInPath } from "./tools.mjs";

/**
 * Every argument of the Terraform modules, by the schema of AWS's provider, and the modules' own tests (tests/*.tftest.hcl), which plan with a
 * provider that answers nothing of AWS.
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
      const modules = readdirSync(join(copy, "aws")).map((name) => join(copy, "aws", name));
      const env = await environment(terraform, modules[0]);
      const failed = [];
      for (const cwd of modules) failed.push(...(await faultsOf(terraform, { cwd, env })));
      return { code: failed.length === 0 ? 0 : 1, output: failed.join("\n") };
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  },
};

const INIT = ["init", "-backend=false", "-input=false", "-no-color"];

/** With the provider of HashiCorp's registry, or where that cannot be reached with one that is built. */
async function environment(terraform, cwd) {
  const { code, output } = await capture(terraform, INIT, { cwd });
  if (code === 0 || !output.includes("registry.terraform.io")) return process.env;
  return { ...process.env, TF_CLI_CONFIG_FILE: await trimmedAwsProvider() };
}

async function faultsOf(terraform, options) {
  // Fails where there is no registry; the built provider needs none.
  await capture(terraform, INIT, options);
  for (const command of ["validate", "test"]) {
    const { code, output } = await capture(terraform, [command, "-no-color"], options);
    if (code !== 0) return [output];
  }
  return [];
}
