/**
 * Terraform's provider for AWS where registry.terraform.io cannot be reached: built from Go's proxy, with those services alone that deploy/terraform
 * uses, since all 250 take an hour. A service that is missing here shows as an unknown resource. Takes some minutes of a core, once.
 */
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildWithGo, isInstalled, moduleFromGoProxy, Unavailable } from "./tools.mjs";

const MODULE = "github.com/hashicorp/terraform-provider-aws";
/** The commit of 6.47.1 and a day: releases from 2 on have no version by which Go's proxy knows them. */
const VERSION = "v1.60.1-0.20260602190131-5f2286d6d836";
const SERVICES = [
  ...["appautoscaling", "cloudwatch", "cognitoidp", "ec2", "ecs", "elasticache", "elbv2", "iam", "kms", "logs", "meta"],
  ...["secretsmanager", "servicediscovery", "ssm", "sts"],
];
const PARTS = ["go.mod", "go.sum", "main.go", "internal", "names", "version"];
const OWN_IMPORT = /^\s+(?:\w+ )?"github\.com\/hashicorp\/terraform-provider-aws\/([^";]+)"$/gm;
const SDK = /"github\.com\/aws\/aws-sdk-go-v2\/service\/([a-z0-9]+)/g;

/** The path of a configuration file of Terraform that names the provider. */
export function trimmedAwsProvider() {
  const name = `terraform-provider-aws-${VERSION}`;
  if (process.env.USHER_LINTERS === "quick" && !isInstalled(name))
    throw new Unavailable(
      "registry.terraform.io cannot be reached; npm run lint:deploy builds the provider, in some minutes",
    );
  return buildWithGo(name, "terraform.rc", async (dir) => {
    const source = join(dir, "source");
    const module = await moduleFromGoProxy(MODULE, VERSION);
    for (const part of PARTS) {
      cpSync(join(module, part), join(source, part), {
        recursive: true,
        filter: (path) => !/_test\.go$|testdata/.test(path),
      });
    }
    trim(source);
    const override = `dev_overrides { "hashicorp/aws" = "${dir}" }`;
    writeFileSync(join(dir, "terraform.rc"), `provider_installation {\n  ${override}\n  direct {}\n}\n`);
    return { source, output: "terraform-provider-aws", clean: () => rmSync(source, { recursive: true }) };
  });
}

/** Takes all other services out of the two generated lists: of services, and of the clients of AWS's SDK. */
function trim(source) {
  const services = "internal/provider/sdkv2/service_packages_gen.go";
  edit(source, services, (text) =>
    text.replace(/^\t(?:"[^"]*\/internal\/service\/|\t)([a-z0-9]+)(?:"|\.ServicePackage\(.*)\n/gm, (line, name) =>
      SERVICES.includes(name) ? line : "",
    ),
  );
  const used = usedClients(source);
  edit(source, "internal/conns/awsclient_gen.go", (text) =>
    text
      .replace(/^\t"github\.com\/aws\/aws-sdk-go-v2\/service\/([a-z0-9]+)"\n/gm, (line, name) =>
        used.has(name) ? line : "",
      )
      .replace(/^func \(c \*AWSClient\) \w+Client\(.*\n(?:.*\n)*?\}\n/gm, (method) =>
        used.has(/\[\*([a-z0-9]+)\./.exec(method)?.[1]) ? method : "",
      ),
  );
}

/** The clients of the SDK that what is left imports, but for the generated list of them. */
function usedClients(source) {
  const used = new Set();
  const seen = new Set();
  const folders = ["."];
  for (const folder of folders) {
    if (seen.has(folder)) continue;
    seen.add(folder);
    const files = readdirSync(join(source, folder)).filter(
      (file) => file.endsWith(".go") && file !== "awsclient_gen.go",
    );
    for (const file of files) {
      const text = readFileSync(join(source, folder, file), "utf8");
      for (const [, name] of text.matchAll(SDK)) used.add(name);
      for (const [, path] of text.matchAll(OWN_IMPORT)) folders.push(path);
    }
  }
  return used;
}

function edit(source, file, change) {
  const path = join(source, file);
  writeFileSync(path, change(readFileSync(path, "utf8")));
}
