/**
 * `npm run release -- STEP`: what .github/workflows/release.yaml does, each step by itself and on any machine (docs/release.md).
 *
 * - `check [--tag TAG]`: version, changelog and tag belong together, and nothing is uncommitted.
 * - `files`: the package for npm, the one for Debian, the chart, the list of what is in them (SBOM) and their sums, in artifacts/release.
 * - `publish --tag TAG`: a release of these files at GitHub, by its program `gh`.
 * - `image --name NAME [--push]`: the container image for amd64 and arm64, with SBOM and provenance; what is pushed is signed by `cosign`.
 *
 * `--print` shows the commands of `publish` and `image`, and runs none.
 */
import "./lib/node-version.mjs";
import { parseArgs } from "node:util";
import { prepare } from "./lib/prepare.mjs";
import { checkRelease } from "./lib/release/check.mjs";
import { makeFiles } from "./lib/release/files.mjs";
import { imageCommands, runImage } from "./lib/release/image.mjs";
import { publishCommand, releaseVersion } from "./lib/release/version.mjs";
import { fail, run } from "./lib/run.mjs";

const options = {
  tag: { type: "string" },
  name: { type: "string" },
  push: { type: "boolean" },
  print: { type: "boolean" },
};
const usage = "Expected: npm run release -- check [--tag TAG] | files | publish --tag TAG | image --name NAME [--push]";
const { step, values } = read();

const steps = {
  async check() {
    const faults = checkRelease({ tag: values.tag });
    if (faults.length > 0) fail(`This is no release:\n${faults.map((fault) => `- ${fault}`).join("\n")}`);
    process.stdout.write(`${releaseVersion()} is ready.\n`);
  },
  async files() {
    await prepare();
    for (const line of await makeFiles()) process.stdout.write(`${line}\n`);
  },
  async publish() {
    const command = publishCommand(values.tag ?? fail(usage, 2));
    if (values.print) process.stdout.write(`${command.join(" ")}\n`);
    else process.exitCode = await run(command[0], command.slice(1));
  },
  async image() {
    const wanted = { name: values.name ?? fail(usage, 2), version: releaseVersion(), isPushed: values.push === true };
    if (!values.print) return runImage(wanted);
    for (const command of imageCommands(wanted)) process.stdout.write(`${command.join(" ")}\n`);
  },
};
await (steps[step] ?? (() => fail(usage, 2)))();

function read() {
  try {
    const { positionals, values } = parseArgs({ options, allowPositionals: true });
    return { step: positionals.length === 1 ? positionals[0] : "", values };
  } catch (error) {
    return fail(`${error.message}\n${usage}`, 2);
  }
}
