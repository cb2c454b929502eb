import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fail, run } from "../run.mjs";
import { releaseFolder } from "./version.mjs";

const platforms = "linux/amd64,linux/arm64";
const metadataFile = join(releaseFolder, "image.json");

/**
 * Builds the image from the Dockerfile, with a list of what is in it and how it was built; and signs it, by the identity of the workflow.
 *
 * @param digest of what was pushed; it is known after the build
 */
export function imageCommands({ name, version, isPushed, digest = "DIGEST" }) {
  const tags = [version, version.split(".").slice(0, 2).join(".")].flatMap((tag) => ["--tag", `${name}:${tag}`]);
  const labels = { title: "Usher", version, licenses: "Apache-2.0" };
  const build = [
    ...["docker", "buildx", "build", "--platform", platforms, "--sbom=true", "--provenance=mode=max"],
    ...Object.entries(labels).flatMap(([key, value]) => ["--label", `org.opencontainers.image.${key}=${value}`]),
    ...tags,
    ...[
      "--metadata-file",
      metadataFile,
      isPushed ? "--push" : "--output=type=oci,dest=artifacts/release/usher-image.tar",
      ".",
    ],
  ];
  return [build, ...(isPushed ? [["cosign", "sign", "--yes", `${name}@${digest}`]] : [])];
}

export async function runImage(wanted) {
  // buildx makes no folder for its metadata, and says so when all is pushed.
  mkdirSync(releaseFolder, { recursive: true });
  const [build = []] = imageCommands(wanted);
  await must(build);
  if (!wanted.isPushed) return;
  const digest = JSON.parse(readFileSync(metadataFile, "utf8"))["containerimage.digest"];
  const [, sign = []] = imageCommands({ ...wanted, digest });
  await must(sign);
}

async function must(command) {
  const code = await run(command[0], command.slice(1)).catch(() => null);
  if (code === null) fail(`${command[0]} is not installed; --print shows the commands.`);
  if (code !== 0) fail(`${command.slice(0, 3).join(" ")} failed; see above.`, code);
}
